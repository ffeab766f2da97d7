import { visibleText } from "../../lib/visible-text.ts";
import { AttachIcon } from "../../ui/icons.ts";
import { Markdown } from "../../ui/markdown.tsx";
import type { Conversation, Entry } from "./records.ts";

/** What was said so far. */
export function Entries({ conversation: { entries, state } }: { readonly conversation: Conversation }) {
  if (entries.length === 0) return null;
  return (
    <div role="log" aria-label="Conversation" aria-busy={state === "working"} className="flex flex-col gap-5">
      {entries.map((entry) => (
        <One key={`${entry.kind} ${entry.id}`} entry={entry} />
      ))}
    </div>
  );
}

function One({ entry }: { readonly entry: Entry }) {
  switch (entry.kind) {
    case "said":
      return <Said entry={entry} />;
    case "reply":
      return entry.text === "" ? null : (
        <div className="min-w-0 [overflow-wrap:anywhere]">
          <Markdown text={entry.text} />
        </div>
      );
    case "answered":
      return <Answered entry={entry} />;
    case "note":
      return <p className="text-ink-2">{visibleText(entry.text)}</p>;
  }
}

function Said({ entry: { text, files } }: { readonly entry: Extract<Entry, { kind: "said" }> }) {
  return (
    <div className="flex max-w-[85%] flex-col gap-1 self-end rounded-panel bg-accent-soft px-3 py-2">
      {text !== "" && (
        <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {visibleText(text)}
        </p>
      )}
      {files.map((name, index) => (
        <p key={index} className="flex min-w-0 items-center gap-1.5 text-small text-ink-2">
          <AttachIcon className="size-4 shrink-0" />
          <span dir="auto" className="truncate">
            {visibleText(name)}
          </span>
        </p>
      ))}
    </div>
  );
}

function Answered({ entry: { question, text } }: { readonly entry: Extract<Entry, { kind: "answered" }> }) {
  return (
    <div className="flex max-w-[85%] flex-col gap-1 self-end rounded-panel bg-accent-soft px-3 py-2">
      <p dir="auto" className="text-small text-ink-2">
        {visibleText(question)}
      </p>
      <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {visibleText(text)}
      </p>
    </div>
  );
}
