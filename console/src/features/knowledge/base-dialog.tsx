import { useQueryClient } from "@tanstack/react-query";
import { createKnowledgeBase, getKnowledgeBase, updateKnowledgeBase } from "#client/gen/operations/knowledge.ts";
import { call } from "../../api/client.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Field, Input, Textarea } from "../../ui/field.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import type { KnowledgeBase } from "./queries.ts";

const FIELDS = ["name", "description", "embedding_model"] as const;

/** Creates a knowledge base, or changes one. */
export function BaseDialog({
  base,
  onClose,
  onSaved,
}: {
  /** The one to change; a new one when absent. */
  readonly base?: KnowledgeBase;
  readonly onClose: () => void;
  readonly onSaved: (base: KnowledgeBase) => void;
}) {
  const client = useQueryClient();
  async function save(values: FormData, { opened, changesOf }: Edited<KnowledgeBase>): Promise<KnowledgeBase> {
    const model = textIn(values, "embedding_model").trim();
    const body = {
      name: textIn(values, "name"),
      description: textIn(values, "description"),
      embedding_model: model === "" ? null : model,
    };
    const saved = await (opened === undefined
      ? call(createKnowledgeBase)(body)
      : call(updateKnowledgeBase)({ id: opened.id }, await changesOf(body)));
    await client.invalidateQueries({ queryKey: ["knowledge-bases"] });
    return saved;
  }
  const isNew = base === undefined;
  return (
    <RecordDialog
      title={isNew ? "New knowledge base" : `Edit ${base.name}`}
      action={isNew ? "Create knowledge base" : "Save knowledge base"}
      draft={`knowledge-base.${base?.id ?? "new"}`}
      record={base}
      read={({ id }) => call(getKnowledgeBase)({ id })}
      fields={FIELDS}
      shown={FIELDS}
      save={save}
      onSaved={onSaved}
      onClose={onClose}
    >
      {({ errorOf }) => (
        <>
          <Field label="Name" error={errorOf("name")}>
            <Input name="name" required maxLength={100} autoComplete="off" defaultValue={base?.name} />
          </Field>
          <Field label="Description" aside="optional" error={errorOf("description")}>
            <Textarea name="description" rows={3} defaultValue={base?.description} />
          </Field>
          <Field
            label="Embedding model"
            aside="optional"
            error={errorOf("embedding_model")}
            help="Provider and model, such as openai/text-embedding-3-small, or none. Empty: the one that this service has set. A change counts for documents that are read from then on."
          >
            <Input name="embedding_model" autoComplete="off" defaultValue={base?.embedding_model ?? ""} />
          </Field>
        </>
      )}
    </RecordDialog>
  );
}
