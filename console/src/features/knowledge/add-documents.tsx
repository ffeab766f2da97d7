import { useState } from "react";
import { createDocument, uploadDocument } from "#client/gen/operations/knowledge.ts";
import { call } from "../../api/client.ts";
import { openDraft } from "../../forms/form-draft.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, Input, Select, Textarea } from "../../ui/field.tsx";
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
  const hasFiles = uploads.sendings.length > 0;
  return (
    <Dialog title="Add documents" isOpen onClose={onClose}>
      <RecordForm
        draft={DRAFT}
        fields={["name", "text"]}
        save={save}
        onSaved={onClose}
        onChange={onChange}
        actions={({ isBusy }) =>
          isText ? (
            <DialogActions>
              <Button onClick={onClose}>Close</Button>
              <Button look="primary" type="submit" isBusy={isBusy}>
                Add text
              </Button>
            </DialogActions>
          ) : (
            <DialogActions>
              <Button look="quiet" className="-ms-3 me-auto touch:-ms-4" onClick={() => setText(true)}>
                Paste a text instead
              </Button>
              <Button look={hasFiles ? "primary" : "plain"} isBusy={uploads.isBusy} onClick={onClose}>
                {hasFiles ? "Done" : "Close"}
              </Button>
            </DialogActions>
          )
        }
      >
        {({ errorOf }) => (
          <>
            <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
              <Field label="Knowledge base">
                <Select name="base" value={base} onChange={({ target }) => setBase(target.value)}>
                  {bases.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </Select>
              </Field>
              <Field label="Tags" aside="separated by commas">
                <Input name="tags" value={tags} autoComplete="off" onChange={({ target }) => setTags(target.value)} />
              </Field>
            </div>
            {isText ? <TextFields errorOf={errorOf} /> : <UploadList uploads={uploads} help={ACCEPTED} />}
          </>
        )}
      </RecordForm>
    </Dialog>
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

function TextFields({ errorOf }: { readonly errorOf: (path: string) => string | undefined }) {
  return (
    <>
      <div className="grid grid-cols-[1fr_10rem] gap-4 max-sm:grid-cols-1">
        <Field label="Name" error={errorOf("name")}>
          <Input name="name" required maxLength={300} autoComplete="off" />
        </Field>
        <Field label="Format">
          <Select name="format" defaultValue="markdown">
            {FORMATS.map((format) => (
              <option key={format} value={format}>
                {format}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field label="Text" error={errorOf("text")}>
        <Textarea name="text" required rows={8} />
      </Field>
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
