import { Markdown } from "../../ui/markdown.tsx";
import { Spinner } from "../../ui/button.tsx";
import { ChevronRightIcon } from "../../ui/icons.tsx";
import { visibleText } from "../../lib/visible-text.ts";
import type { Entry } from "./transcript.ts";

/** What happened, in order; words appear as they come. */
export function TranscriptView({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <div aria-live="off" className="flex flex-col gap-4">
      {entries.map((entry) => (
        <EntryView key={`${entry.kind}-${entry.id}`} entry={entry} />
      ))}
    </div>
  );
}

function EntryView({ entry }: { readonly entry: Entry }) {
  switch (entry.kind) {
    case "message":
      return (
        <div>
          <Markdown text={entry.text} />
          {entry.isOpen && (
            <span className="mt-1 inline-block h-4 w-[7px] animate-breathe bg-running" aria-hidden="true" />
          )}
        </div>
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

function ToolCall({ entry }: { readonly entry: Entry & { readonly kind: "tool" } }) {
  const { name, args, result } = entry;
  return (
    <details className="group max-w-[72ch] rounded-control border border-line">
      <summary className="flex h-9 list-none items-center gap-2 px-3 hover:bg-surface touch:h-11">
        {result === undefined ? <Spinner /> : <ChevronRightIcon className="text-ink-3 group-open:rotate-90" />}
        <span className="font-mono text-mono">{name}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-small text-ink-3">{args}</span>
      </summary>
      <div className="border-t border-line">
        <Block title="Arguments" text={args} />
        {result !== undefined && <Block title="Result" text={result} />}
      </div>
    </details>
  );
}

function Block({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="px-3 py-2">
      <h4 className="text-caption font-medium text-ink-3">{title}</h4>
      <pre
        dir="auto"
        tabIndex={0}
        aria-label={title}
        className="mt-1 max-h-64 overflow-auto font-mono text-mono whitespace-pre-wrap"
      >
        {visibleText(text)}
      </pre>
    </div>
  );
}
