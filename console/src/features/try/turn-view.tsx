import { visibleText } from "../../lib/visible-text.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { TranscriptView } from "../run/log/transcript-view.tsx";
import type { Transcript } from "../run/log/transcript.ts";
import type { Turn } from "./queries.ts";

/** What a person said. */
export function Said({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p dir="auto" className="max-w-[72ch] self-end rounded-panel bg-raised px-3 py-2 whitespace-pre-wrap">
      {visibleText(text)}
    </p>
  );
}

/** What the agent did and said then: as it happened, or else the stored reply. */
export function Reply({
  turn,
  transcript,
}: {
  readonly turn: Turn | undefined;
  readonly transcript: Transcript | undefined;
}) {
  if (transcript !== undefined) return <TranscriptView entries={transcript.entries} nameOf={() => undefined} />;
  const { reply = null, attempt = null } = turn ?? {};
  if (reply !== null) return <Markdown text={reply} />;
  if (attempt?.error != null) return <p className="text-failed">{visibleText(attempt.error)}</p>;
  if (turn !== undefined && attempt === null) return <p className="text-ink-3">No reply</p>;
  return <p className="animate-breathe text-ink-3">Starting</p>;
}
