import { useState } from "react";
import type { ReactNode } from "react";
import { Markdown } from "../../../ui/markdown.tsx";
import { Bdi } from "../../../ui/bdi.tsx";
import { Spinner } from "../../../ui/button.tsx";
import { ChevronRightIcon } from "../../../ui/icons.tsx";
import { visibleText } from "../../../lib/visible-text.ts";
import { CodeBlock } from "../inspector/code-block.tsx";
import { ReadNew } from "./read-new.tsx";
import type { Entry } from "./transcript.ts";

/** The events in order; text appears as it streams. Screen readers do not announce each piece. */
export function TranscriptView({
  entries,
  nameOf,
  feet,
}: {
  readonly entries: readonly Entry[];
  /** What an agent is called; undefined until its first call has ended. */
  readonly nameOf: (agentId: string) => string | undefined;
  /** What is shown below messages, by their ids. */
  readonly feet?: ReadonlyMap<string, ReactNode>;
}) {
  const messages = entries.filter((entry) => entry.kind === "message");
  return (
    <div aria-live="off" className="flex flex-col gap-4">
      <ReadNew text={messages.map(({ text }) => text).join("\n")} isOpen={messages.some(({ isOpen }) => isOpen)} />
      {entries.map((entry, index) => (
        <div key={`${entry.kind}-${entry.id}`} className="flex flex-col gap-1">
          {!isSameSpeaker(entries[index - 1], entry) && <Speaker name={speakerOf(entry, nameOf)} />}
          <EntryView entry={entry} />
          {entry.kind === "message" && feet?.get(entry.id)}
        </div>
      ))}
    </div>
  );
}

/** A note and a tool call belong to the text before them; texts of one agent may be of turns at the same time. */
function isSameSpeaker(before: Entry | undefined, entry: Entry): boolean {
  if (before?.agentId !== entry.agentId) return false;
  return before?.kind !== "message" || entry.kind !== "message" || before.turn === entry.turn;
}

function speakerOf(entry: Entry, nameOf: (agentId: string) => string | undefined): string | undefined {
  if (entry.agentId === undefined) return undefined;
  return nameOf(entry.agentId) ?? (entry.kind === "message" ? entry.turn : undefined);
}

function Speaker({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <h3 className="font-strong">
      <Bdi>{name}</Bdi>
    </h3>
  );
}

function EntryView({ entry }: { readonly entry: Entry }) {
  switch (entry.kind) {
    case "message":
      return (
        <>
          <Markdown text={entry.text} />
          {entry.isOpen && <Caret />}
          {entry.isCut && <p className="text-small text-ink-3">Cut off, said again below</p>}
        </>
      );
    case "tool":
      return <ToolCall entry={entry} />;
    case "note":
      return (
        <p dir="auto" className="flex items-center gap-3 text-small text-ink-3 after:h-px after:flex-1 after:bg-line">
          {visibleText(entry.text)}
        </p>
      );
  }
}

/** The text is still streaming. */
export function Caret() {
  return <span className="mt-1 inline-block h-4 w-[0.4375rem] animate-breathe bg-running" aria-hidden="true" />;
}

/** Its arguments and its result are drawn once it is opened: a run may have thousands of calls. */
function ToolCall({ entry }: { readonly entry: Entry & { readonly kind: "tool" } }) {
  const { name, args, result } = entry;
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="group max-w-[72ch] rounded-control border border-line"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex h-9 list-none items-center gap-2 px-3 hover:bg-surface touch:h-11">
        {result === undefined ? <Spinner /> : <ChevronRightIcon className="text-ink-3 group-open:rotate-90" />}
        <span className="font-mono text-mono">{name}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-small text-ink-3">{args}</span>
      </summary>
      {isOpen && (
        <div className="flex flex-col gap-3 border-t border-line p-3">
          <CodeBlock title="Arguments" text={args} />
          {result !== undefined && <CodeBlock title="Result" text={result} />}
        </div>
      )}
    </details>
  );
}
