import { LoadingRows } from "../../../ui/states.tsx";
import { visibleText } from "../../../lib/visible-text.ts";
import { waitReason } from "../log/budget-waits.ts";
import { retryNote } from "../log/retry-note.ts";
import { useLog } from "../log/use-run-log.ts";
import type { LogStore } from "../log/log-store.ts";
import { ReadNew } from "../log/read-new.tsx";
import { streamedText, streamedThought } from "../log/streamed-text.ts";
import { FeedbackBar } from "../../feedback/feedback-bar.tsx";
import { isCall, wasStopped } from "../model/tree.ts";
import { isOpenModelCall, isOpenQuestion } from "../../records/run-queries.ts";
import type { RunHead, StepDetail, StepRow } from "../../records/run-head.ts";
import { AnsweredQuestion, OpenQuestion } from "./answered-question.tsx";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { OutputText } from "./output-text.tsx";
import { Thinking, useFold } from "./thinking.tsx";
import type { Fold } from "./thinking.tsx";

const STOPPED = {
  model: "Stopped before its reply was complete. What it cost is not known; budgets count its worst case.",
  tool: "Stopped before it had a result. What it did until then is not undone.",
} as const;

/** What came of a step; of one that runs, what has come so far. */
export function StepOutput({
  head,
  row,
  detail,
  turn,
  log,
}: {
  readonly head: RunHead;
  readonly row: StepRow;
  readonly detail: StepDetail | undefined;
  /** The name of its turn, in a team's run. */
  readonly turn: string | undefined;
  readonly log: LogStore;
}) {
  // Also when the call is recorded, what a person has unfolded stays so.
  const fold = useFold();
  if (isOpenModelCall(row)) return <LiveText row={row} turn={turn} log={log} fold={fold} />;
  if (isOpenQuestion(row)) return <OpenQuestion question={head.question} />;
  if (detail === undefined) return <LoadingRows rows={3} />;
  if (row.kind === "question") return <AnsweredQuestion detail={detail} />;
  const { reply, error, result } = detail;
  if (!isCall(row)) {
    if (result !== null) return <OutputText text={result} />;
    return <p className="text-ink-3">A group of steps. Each of them has its own output.</p>;
  }
  return (
    <div className="flex flex-col gap-4">
      {error !== null && (
        <p dir="auto" className="note bg-failed-soft">
          {error}
        </p>
      )}
      {detail.question !== null && <AnsweredQuestion detail={detail} />}
      {row.kind === "model" && detail.changed === true && (
        <p className="text-ink-2">
          Given for this fork by {detail.answered_by?.name ?? "a former member"}; no model was called.
        </p>
      )}
      {reply !== null && reply.reasoning.length > 0 && <Thinking text={reply.reasoning.join("\n\n")} fold={fold} />}
      {reply !== null && reply.text !== "" && <OutputText text={reply.text} />}
      {reply?.tool_calls.map((call) => (
        <CodeBlock key={call.id} title={`Calls ${call.name}`} text={call.arguments} />
      ))}
      {detail.arguments !== null && <CodeBlock title="Arguments" text={detail.arguments} />}
      {result !== null && error === null && <CodeBlock title="Result" text={result} />}
      {row.message_id !== undefined && row.status === "completed" && reply !== null && reply.text !== "" && (
        <FeedbackBar
          subject={{ runId: head.id, attempt: head.attempt, messageId: row.message_id }}
          given={head.feedback}
        />
      )}
      {wasStopped(row) && <p className="text-ink-3">{STOPPED[row.kind === "model" ? "model" : "tool"]}</p>}
      {row.kind === "tool" && row.status === "running" && <p className="text-ink-3">The tool is running.</p>}
    </div>
  );
}

/** @param retried why the call is made once more */
function NoAnswerYet({ retried }: { readonly retried: string | undefined }) {
  return (
    <>
      <p className="text-ink-3">The model has not answered yet.</p>
      {retried !== undefined && <p className="mt-2 text-ink-2">{visibleText(retried)}</p>}
    </>
  );
}

function LiveText({
  row,
  turn,
  log,
  fold,
}: {
  readonly row: StepRow;
  readonly turn: string | undefined;
  readonly log: LogStore;
  /** Of what the model thinks. */
  readonly fold: Fold;
}) {
  const { transcript, waits, events } = useLog(log);
  const reason = waitReason(waits, row);
  if (reason !== undefined) return <p className="text-ink-2">Waiting for a budget. {visibleText(reason)}</p>;
  const thought = streamedThought(transcript, row, turn);
  const words = streamedText(transcript, row, turn);
  const hasWords = words !== undefined && words.text !== "";
  if (thought === undefined && !hasWords) return <NoAnswerYet retried={retryNote(events, row)} />;
  return (
    <div aria-live="off" className="flex flex-col gap-4">
      {thought !== undefined && <Thinking text={thought.text} isOpen={thought.isOpen} fold={fold} />}
      {hasWords && (
        <div className="flex flex-col">
          <ReadNew text={words.text} isOpen={words.isOpen} />
          <OutputText text={words.text} isOpen={words.isOpen} />
        </div>
      )}
    </div>
  );
}
