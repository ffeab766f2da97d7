import { Folded } from "../../ui/folded.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { useRun, useStep, useSteps } from "../records/run-queries.ts";
import type { RunHead } from "../records/run-head.ts";

/** The last text of a run's models before its question, folded. */
export function LastOutput({ runId }: { readonly runId: string }) {
  return (
    <Folded title="The last output">
      <OfRun runId={runId} />
    </Folded>
  );
}

function OfRun({ runId }: { readonly runId: string }) {
  const { data: head } = useRun(runId);
  return head === undefined ? <Waiting /> : <OfHead head={head} />;
}

function OfHead({ head }: { readonly head: RunHead }) {
  const { data: steps } = useSteps(head);
  const row = steps?.rows.findLast(({ message_id: message }) => message !== undefined);
  const { data: detail } = useStep(head, row);
  if (steps === undefined || (row !== undefined && detail === undefined)) return <Waiting />;
  const text = detail?.reply?.text;
  return text === undefined ? <p className="text-ink-3">No text yet.</p> : <Markdown text={text} />;
}

function Waiting() {
  return (
    <p role="status" className="text-ink-3">
      Loading
    </p>
  );
}
