import { useQueryClient } from "@tanstack/react-query";
import { createKnowledgeBase, getKnowledgeBase, updateKnowledgeBase } from "#client/gen/operations/knowledge.ts";
import { call } from "../../api/client.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { TextareaField } from "../../ui/fields.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import type { KnowledgeBase } from "./queries.ts";

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
      save={save}
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextField name="name" label="Name" required maxLength={100} />
      <TextareaField name="description" label="Description" aside="optional" rows={3} />
      <TextField
        name="embedding_model"
        label="Embedding model"
        aside="optional"
        help="Provider and model, such as openai/text-embedding-3-small, or none. Empty: the one that this service has set. A change applies to documents that are read from then on."
      />
    </RecordDialog>
  );
}
