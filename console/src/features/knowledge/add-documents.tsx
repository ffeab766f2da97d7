import { useState } from "react";
import { api, read } from "../../api/client.ts";
import { fetchJson } from "../../api/fetch-json.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, FormError, Input, Select, Textarea } from "../../ui/field.tsx";
import { UploadList } from "../files/upload-list.tsx";
import { useUploads } from "../files/use-uploads.ts";
import { useLive } from "../live/live-context.tsx";
import { useDocumentActions } from "./queries.ts";
import type { KnowledgeBase } from "./queries.ts";
import { tagsIn } from "./tags.ts";

const ACCEPTED = "Text, Markdown, HTML, CSV, JSON, PDF and DOCX. They are read in the background.";
const FORMATS = ["text", "markdown", "html", "csv", "json"] as const;

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
  const [base, setBase] = useState(preferred ?? bases[0]?.id ?? "");
  const [tags, setTags] = useState("");
  const [isText, setText] = useState(false);
  return (
    <Dialog title="Add documents" isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
          <Field label="Knowledge base">
            <Select value={base} onChange={({ target }) => setBase(target.value)}>
              {bases.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Tags" aside="separated by commas">
            <Input value={tags} autoComplete="off" onChange={({ target }) => setTags(target.value)} />
          </Field>
        </div>
        {isText ? (
          <TextForm base={base} tags={tags} onClose={onClose} />
        ) : (
          <Files base={base} tags={tags} onText={() => setText(true)} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

interface Target {
  readonly base: string;
  readonly tags: string;
  readonly onClose: () => void;
}

function Files({ base, tags, onText, onClose }: Target & { readonly onText: () => void }) {
  const { refresh } = useLive();
  const uploads = useUploads(async (file) => {
    const body = new FormData();
    body.append("knowledge_base_id", base);
    body.append("tags", tags);
    body.append("file", file);
    await fetchJson("/console/api/knowledge/uploads", { method: "POST", body });
    refresh([["documents"], ["knowledge-bases"]]);
  });
  return (
    <>
      <UploadList uploads={uploads} help={ACCEPTED} />
      <DialogActions>
        <Button look="quiet" className="-ms-3 me-auto touch:-ms-4" onClick={onText}>
          Paste a text instead
        </Button>
        <Button look={uploads.sendings.length > 0 ? "primary" : "plain"} isBusy={uploads.isBusy} onClick={onClose}>
          {uploads.sendings.length > 0 ? "Done" : "Close"}
        </Button>
      </DialogActions>
    </>
  );
}

function TextForm({ base, tags, onClose }: Target) {
  const { refresh } = useDocumentActions();
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const format = FORMATS.find((each) => each === textIn(values, "format")) ?? "text";
    const body = {
      knowledge_base_id: base,
      name: textIn(values, "name"),
      text: textIn(values, "text"),
      format,
      tags: tagsIn(tags),
    };
    await read(api.POST("/console/api/knowledge/documents", { body }));
    await refresh();
    onClose();
  });
  const error = formError(["name", "text"]);
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      {error !== undefined && <FormError>{error}</FormError>}
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
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button look="primary" type="submit" isBusy={isBusy}>
          Add text
        </Button>
      </DialogActions>
    </form>
  );
}
