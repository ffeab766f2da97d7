import { StateIcon } from "../../ui/state.tsx";
import type { RunState } from "../../lib/run-state.ts";
import type { KnowledgeDocument } from "./queries.ts";

const LABELS = { pending: "Waiting", processing: "Reading", ready: "Ready", failed: "Failed" } as const;
/** The shapes are those of runs, so that people know them. */
const SHAPES = {
  pending: "queued",
  processing: "running",
  ready: "completed",
  failed: "failed",
} as const satisfies Record<KnowledgeDocument["status"], RunState>;

/** What the state of a document is called. */
export function documentStateLabel(status: KnowledgeDocument["status"]): string {
  return LABELS[status];
}

/** The state of a document, with its progress while it is read. */
export function DocumentState({ document }: { readonly document: KnowledgeDocument }) {
  const { status, progress } = document;
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <StateIcon state={SHAPES[status]} decorative />
      {LABELS[status]}
      {status === "processing" && <span className="text-ink-3">{progress} %</span>}
    </span>
  );
}
