import { useState } from "react";
import { createDocument, uploadDocument } from "#client/gen/operations/knowledge.ts";
import { call } from "../../api/client.ts";
import { openDraft } from "../../forms/form-draft.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { SelectField, TextareaField } from "../../ui/fields.tsx";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import { UploadList } from "../files/upload-list.tsx";
import { useUploads } from "../files/use-uploads.ts";
import { useLive } from "../live/live-context.tsx";
import { useDocumentActions } from "./queries.ts";
import type { KnowledgeBase } from "./queries.ts";
import { tagsIn } from "./tags.ts";

const ACCEPTED = "Text, Markdown, HTML, CSV, JSON, PDF and DOCX. They are read in the background.";
const FORMATS = ["text", "markdown", "html", "csv", "json"] as const;
const DRAFT = "documents";

/** Adds many files to a knowledge base, or a text that was pasted. */
export function AddDocuments({
  bases,
  preferred,
  onClose,
}: {
  readonly bases: readonly KnowledgeBase[];
  /** The base that is open. */
  readonly preferred: string | undefined;
  readonly onClose: () => void;
}) {
  const [begun] = useState(() => openDraft(DRAFT, undefined));
  const first = preferred ?? bases[0]?.id ?? "";
  const [base, setBase] = useState(begun.valuesOf("base")?.[0] ?? first);
  const [tags, setTags] = useState(begun.valuesOf("tags")?.[0] ?? "");
  const [isText, setText] = useState(begun.valuesOf("text") !== undefined || begun.valuesOf("name") !== undefined);
  const uploads = useFileUploads(base, tags);
  const { refresh } = useDocumentActions();
  function onChange(field?: string): void {
    if (field !== undefined) return;
    setBase(first);
    setTags("");
  }
  async function save(values: FormData): Promise<void> {
    await call(createDocument)(bodyOf(values));
    await refresh();
  }
  return (
    <Dialog title="Add documents" isOpen onClose={onClose}>
      <RecordForm
        draft={DRAFT}
        save={save}
        onSaved={onClose}
        onChange={onChange}
        actions={
          isText ? (
            <DialogActions>
              <Button onClick={onClose}>Close</Button>
              <SubmitButton>Add text</SubmitButton>
            </DialogActions>
          ) : (
            <FilesActions uploads={uploads} onText={() => setText(true)} onClose={onClose} />
          )
        }
      >
        <BaseFields {...{ bases, base, tags }} onBase={setBase} onTags={setTags} />
        {isText ? <TextFields /> : <UploadList uploads={uploads} help={ACCEPTED} />}
      </RecordForm>
    </Dialog>
  );
}

/** Where the documents are added, and with which tags. */
function BaseFields({
  bases,
  base,
  tags,
  onBase,
  onTags,
}: {
  readonly bases: readonly KnowledgeBase[];
  readonly base: string;
  readonly tags: string;
  readonly onBase: (id: string) => void;
  readonly onTags: (tags: string) => void;
}) {
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      <SelectField name="base" label="Knowledge base" value={base} onChange={({ target }) => onBase(target.value)}>
        {bases.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        name="tags"
        label="Tags"
        aside="separated by commas"
        value={tags}
        onChange={({ target }) => onTags(target.value)}
      />
    </div>
  );
}

function FilesActions({
  uploads,
  onText,
  onClose,
}: {
  readonly uploads: ReturnType<typeof useUploads>;
  readonly onText: () => void;
  readonly onClose: () => void;
}) {
  const hasFiles = uploads.sendings.length > 0;
  return (
    <DialogActions>
      <Button look="quiet" className="-ms-3 me-auto touch:-ms-4" onClick={onText}>
        Paste a text instead
      </Button>
      <Button look={hasFiles ? "primary" : "plain"} isBusy={uploads.isBusy} onClick={onClose}>
        {hasFiles ? "Done" : "Close"}
      </Button>
    </DialogActions>
  );
}

function useFileUploads(base: string, tags: string) {
  const { refresh } = useLive();
  return useUploads(async (file) => {
    const body = new FormData();
    body.append("knowledge_base_id", base);
    body.append("tags", tags);
    body.append("file", file);
    await call(uploadDocument)(body);
    refresh([["documents"], ["knowledge-bases"]]);
  });
}

function TextFields() {
  return (
    <>
      <div className="grid grid-cols-[1fr_10rem] gap-4 max-sm:grid-cols-1">
        <TextField name="name" label="Name" required maxLength={300} />
        <SelectField name="format" label="Format" defaultValue="markdown" options={FORMATS} />
      </div>
      <TextareaField name="text" label="Text" required rows={8} />
    </>
  );
}

function bodyOf(values: FormData) {
  return {
    knowledge_base_id: textIn(values, "base"),
    name: textIn(values, "name"),
    text: textIn(values, "text"),
    format: FORMATS.find((each) => each === textIn(values, "format")) ?? "text",
    tags: tagsIn(textIn(values, "tags")),
  };
}
