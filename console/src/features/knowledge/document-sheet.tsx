import { useBlockedBy } from "../../api/use-session.ts";
import { bytes, count } from "../../lib/format.ts";
import { textIn } from "../../forms/use-submit.ts";
import { FormError, TextField } from "../../ui/field.tsx";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import { RemoveButton } from "../../ui/removal.tsx";
import { RecordSheet } from "../../ui/record-sheet.tsx";
import { Time } from "../../ui/time.tsx";
import { FactList, FactRow, IdFact } from "../../ui/fact-list.tsx";
import { DocumentState } from "./document-state.tsx";
import { ReprocessButton } from "./document-table.tsx";
import { useDocument, useDocumentActions } from "./queries.ts";
import type { KnowledgeDocument } from "./queries.ts";
import { tagsIn } from "./tags.ts";

/** One document beside the list: its state, its name and tags, and its actions. */
export function DocumentSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  return (
    <RecordSheet query={useDocument(id)} title={(document) => document?.name ?? "Document"} onClose={onClose}>
      {(document) => (
        <>
          <Details document={document} />
          <EditForm key={document.id} document={document} />
          <Actions document={document} onDeleted={onClose} />
        </>
      )}
    </RecordSheet>
  );
}

function Details({ document }: { readonly document: KnowledgeDocument }) {
  const { error, warning, format, size, passages, embeddings, attempt, created_at: at } = document;
  return (
    <div className="flex flex-col gap-3">
      {error !== null && <FormError>{error}</FormError>}
      {warning !== null && <p className="note bg-waiting-soft text-waiting">{warning}</p>}
      <FactList>
        <FactRow name="State">
          <DocumentState document={document} />
        </FactRow>
        <FactRow name="Format">
          {format}, {bytes(size)}
        </FactRow>
        <FactRow name="Passages">{count(passages)}</FactRow>
        <FactRow name="Found by">{embeddings === null ? "words" : `words and meaning (${embeddings})`}</FactRow>
        <FactRow name="Read">{attempt === 1 ? "once" : `${attempt} times`}</FactRow>
        <FactRow name="Added">
          <Time at={at} />
        </FactRow>
        <IdFact name="Id" id={document.id} />
      </FactList>
    </div>
  );
}

function EditForm({ document }: { readonly document: KnowledgeDocument }) {
  const { change } = useDocumentActions();
  const blockedBy = useBlockedBy("member");
  return (
    <RecordForm
      draft={`document.${document.id}`}
      save={(values) => change(document.id, { name: textIn(values, "name"), tags: tagsIn(textIn(values, "tags")) })}
      blockedBy={blockedBy}
      className="mt-6 flex flex-col gap-4 border-t border-line pt-4"
      actions={
        <SubmitButton className="self-start" blockedBy={blockedBy} look="plain">
          Save document
        </SubmitButton>
      }
    >
      <TextField
        name="name"
        label="Name"
        help="Shown as the source of found passages."
        defaultValue={document.name}
        maxLength={300}
      />
      <TextField name="tags" label="Tags" aside="separated by commas" defaultValue={document.tags.join(", ")} />
    </RecordForm>
  );
}

function Actions({ document, onDeleted }: { readonly document: KnowledgeDocument; readonly onDeleted: () => void }) {
  const { remove } = useDocumentActions();
  return (
    <div className="mt-6 flex gap-2 border-t border-line pt-4">
      <ReprocessButton document={document} />
      <RemoveButton
        size="small"
        blockedBy={useBlockedBy("member")}
        removal={{
          title: `Delete the document "${document.name}"?`,
          action: "Delete document",
          effect: "Its passages and the original go with it. Runs that quoted it keep what they quoted.",
          remove: () => remove(document.id).then(onDeleted),
        }}
      />
    </div>
  );
}
