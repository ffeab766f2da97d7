import { useState } from "react";
import type { FormEvent, KeyboardEvent } from "react";
import { bytes } from "../../lib/format.ts";
import { useMatches } from "../../lib/use-matches.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { bottomBar } from "../../ui/bottom-bar.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/field.tsx";
import { Textarea } from "../../ui/fields.tsx";
import { FileButton } from "../../ui/file-button.tsx";
import { AttachIcon, CloseIcon, StopIcon } from "../../ui/icons.ts";
import { useWork } from "../../ui/use-action.ts";
import { COLUMN, MESSAGE_ID, TOUCH } from "./chat-props.ts";
import type { ChatProps } from "./chat-props.ts";
import type { AttachedFile } from "./visit-store.ts";

/** Where the visitor writes; while the agent answers, it can be stopped. While it asks, what was typed is kept. */
export function VisitComposer({ visit, state: { conversation, page } }: ChatProps) {
  const [text, setText] = useState("");
  const [files, setFiles] = useState<readonly File[]>([]);
  const { isBusy, error, start } = useWork();
  const { state: doing } = conversation;
  const isEmpty = text.trim() === "" && files.length === 0;

  function send(event: FormEvent | KeyboardEvent): void {
    event.preventDefault();
    if (isEmpty || isBusy || doing !== "idle") return;
    start(async () => {
      await visit.say(text, await Promise.all(files.map(attached)));
      setText("");
      setFiles([]);
    });
  }

  function add(more: readonly File[]): void {
    const most = page?.file_bytes ?? 0;
    const large = more.find(({ size }) => size > most);
    const [all, max] = [[...files, ...more], page?.max_files ?? 0];
    start(async () => {
      if (large !== undefined) throw new Error(`${large.name} is too large: a file is at most ${bytes(most)} here.`);
      if (all.length > max) throw new Error(`A message has at most ${max} files.`);
      setFiles(all);
    });
  }

  return (
    <form
      ref={bottomBar}
      hidden={doing === "asking"}
      onSubmit={send}
      className="sticky bottom-0 border-t border-line bg-canvas"
    >
      <div className={`${COLUMN} flex flex-col gap-2 py-3`}>
        {error !== undefined && <FormError>{error}</FormError>}
        <Attached files={files} onRemove={(file) => setFiles(files.filter((each) => each !== file))} />
        <div className="flex items-end gap-2">
          {page?.takes_files === true && <AttachButton onFiles={add} />}
          <MessageField text={text} onChange={setText} onSend={send} />
          {doing === "idle" ? (
            <Button look="primary" type="submit" size="large" isBusy={isBusy} disabled={isEmpty}>
              Send
            </Button>
          ) : (
            <Button icon={StopIcon} onClick={() => start(() => visit.stop())} size="large">
              Stop
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}

function MessageField({
  text,
  onChange,
  onSend,
}: {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSend: (event: KeyboardEvent) => void;
}) {
  // A keyboard on the screen has no Shift+Enter.
  const isTouch = useMatches(TOUCH);
  return (
    <Textarea
      id={MESSAGE_ID}
      aria-label="Message"
      placeholder="Message"
      rows={1}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={(event) => {
        // Enter also ends the choice of a character that is composed of several keys.
        if (event.key === "Enter" && !event.shiftKey && !isTouch && !event.nativeEvent.isComposing) onSend(event);
      }}
      className="min-h-11! resize-none! py-2.25!"
    />
  );
}

function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  return (
    <FileButton
      label="Files"
      aria-label="Attach files"
      size="large"
      icon={AttachIcon}
      isMany
      className="px-3.5"
      onFiles={onFiles}
    />
  );
}

function Attached({ files, onRemove }: { readonly files: readonly File[]; readonly onRemove: (file: File) => void }) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Attached files" className="flex flex-wrap gap-2">
      {files.map((file, index) => (
        <li key={index} className="flex min-w-0 items-center gap-1 box ps-2 text-small">
          <span dir="auto" className="truncate">
            {visibleText(file.name)}
          </span>
          <Button
            look="quiet"
            size="small"
            icon={CloseIcon}
            aria-label={`Remove ${file.name}`}
            onClick={() => onRemove(file)}
          />
        </li>
      ))}
    </ul>
  );
}

async function attached(file: File): Promise<AttachedFile> {
  let binary = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) binary += String.fromCodePoint(byte);
  return { name: file.name, type: file.type || "application/octet-stream", data: btoa(binary) };
}
