import { useQueryClient } from "@tanstack/react-query";
import { api, read } from "../../api/client.ts";
import { useEdited } from "../../lib/use-edited.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, FormError, Input, Textarea } from "../../ui/field.tsx";
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
  const { opened, changesOf } = useEdited(base, ({ id }) => `/console/api/knowledge/bases/${id}`);
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const model = textIn(values, "embedding_model").trim();
    const body = {
      name: textIn(values, "name"),
      description: textIn(values, "description"),
      embedding_model: model === "" ? null : model,
    };
    const saved = await read(
      opened === undefined
        ? api.POST("/console/api/knowledge/bases", { body })
        : api.PATCH("/console/api/knowledge/bases/{id}", {
            params: { path: { id: opened.id } },
            body: await changesOf(body),
          }),
    );
    await client.invalidateQueries({ queryKey: ["knowledge-bases"] });
    onSaved(saved);
  });
  const error = formError(FIELDS);
  const isNew = base === undefined;
  return (
    <Dialog title={isNew ? "New knowledge base" : `Edit ${base.name}`} isOpen onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== undefined && <FormError>{error}</FormError>}
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
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" isBusy={isBusy}>
            {isNew ? "Create knowledge base" : "Save knowledge base"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
