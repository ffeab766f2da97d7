import { memo, useState } from "react";
import type { ReactNode } from "react";
import { Markdown } from "../../../ui/markdown.tsx";
import { Bdi } from "../../../ui/bdi.tsx";
import { Spinner } from "../../../ui/button.tsx";
import { ChevronRightIcon } from "../../../ui/icons.ts";
import { visibleText } from "../../../lib/visible-text.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { Thinking } from "../inspector/thinking.tsx";
import type { Fold } from "../inspector/thinking.tsx";
import { ReadNew } from "./read-new.tsx";
import type { Entry } from "./transcript.ts";
import { keyOf, useDrawnEntries } from "./use-drawn-entries.ts";

/** The events in order; text appears as it streams. Screen readers do not announce each piece. */
export function TranscriptView(props: EntriesProps) {
  const messages = props.entries.filter((entry) => entry.kind === "message");
  return (
    <div aria-live="off" className="flex flex-col gap-4">
      <ReadNew text={messages.map(({ text }) => text).join("\n")} isOpen={messages.some(({ isOpen }) => isOpen)} />
      <Entries {...props} />
    </div>
  );
}

interface EntriesProps {
  readonly entries: readonly Entry[];
  /** What an agent is called; undefined until its first call has ended. */
  readonly nameOf: (agentId: string) => string | undefined;
  /** What is shown below a message, by its id. */
  readonly footOf?: (messageId: string) => ReactNode;
}

/** Of many entries, those near what is seen. */
function Entries({ entries, nameOf, footOf }: EntriesProps) {
  const { drawn, isPart, before, after, listRef, entryRef } = useDrawnEntries(entries);
  const [opened] = useState(() => new Set<string>());
  return (
    <div ref={listRef} className="flex flex-col gap-4" {...(isPart && { role: "list" })}>
      {before > 0 && <div className="shrink-0" style={{ height: before }} />}
      {drawn.map(({ entry, index }) => (
        <div
          key={keyOf(entry)}
          ref={entryRef}
          data-index={index}
          className="flex flex-col gap-1"
          {...(isPart && { role: "listitem", "aria-setsize": entries.length, "aria-posinset": index + 1 })}
        >
          {!isSameSpeaker(entries[index - 1], entry) && <Speaker name={speakerOf(entry, nameOf)} />}
          <EntryView entry={entry} opened={opened} />
          {entry.kind === "message" && footOf?.(entry.id)}
        </div>
      ))}
      {after > 0 && <div className="shrink-0" style={{ height: after }} />}
    </div>
  );
}

/** A note and a tool call belong to the text before them; texts of one agent may be of turns at the same time. */
function isSameSpeaker(before: Entry | undefined, entry: Entry): boolean {
  if (before?.agentId !== entry.agentId) return false;
  return before === undefined || !("turn" in before) || !("turn" in entry) || before.turn === entry.turn;
}

function speakerOf(entry: Entry, nameOf: (agentId: string) => string | undefined): string | undefined {
  if (entry.agentId === undefined) return undefined;
  return nameOf(entry.agentId) ?? ("turn" in entry ? entry.turn : undefined);
}

function Speaker({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <h3 className="font-strong">
      <Bdi>{name}</Bdi>
    </h3>
  );
}

interface EntryViewProps<E extends Entry = Entry> {
  readonly entry: E;
  /** The ids of the calls that are opened, also while they are not in the document. */
  readonly opened: Set<string>;
}

/** Is not rendered again when others change. */
const EntryView = memo(function EntryView({ entry, opened }: EntryViewProps) {
  switch (entry.kind) {
    case "message":
      return (
        <>
          <Markdown text={entry.text} />
          {entry.isOpen && <Caret />}
          {entry.isCut && <p className="text-small text-ink-3">Cut off, said again below</p>}
        </>
      );
    case "thought":
      return <Thought entry={entry} opened={opened} />;
    case "tool":
      return <ToolCall entry={entry} opened={opened} />;
    case "note":
      return (
        <p dir="auto" className="flex items-center gap-3 text-small text-ink-3 after:h-px after:flex-1 after:bg-line">
          {visibleText(entry.text)}
        </p>
      );
  }
});

/** The text is still streaming. */
export function Caret() {
  return <span className="mt-1 inline-block h-4 w-[0.4375rem] animate-breathe bg-running" aria-hidden="true" />;
}

function Thought({ entry: { id, text, isOpen }, opened }: EntryViewProps<Entry & { readonly kind: "thought" }>) {
  return <Thinking text={text} isOpen={isOpen} fold={useRememberedFold(id, opened)} />;
}

/** The fold of an entry, which is remembered while the entry is not in the document. */
function useRememberedFold(id: string, opened: Set<string>): Fold {
  const [isUnfolded, setUnfolded] = useState(() => opened.has(id));
  function onToggle({ currentTarget: { open } }: { readonly currentTarget: HTMLDetailsElement }): void {
    setUnfolded(open);
    if (open) opened.add(id);
    else opened.delete(id);
  }
  return { isUnfolded, onToggle };
}

/** Its arguments and its result are drawn once it is opened: a run may have thousands of calls. */
function ToolCall({ entry, opened }: EntryViewProps<Entry & { readonly kind: "tool" }>) {
  const { id, name, args, result } = entry;
  const { isUnfolded: isOpen, onToggle } = useRememberedFold(id, opened);
  return (
    <details open={isOpen} className="group max-w-[72ch] box" onToggle={onToggle}>
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
