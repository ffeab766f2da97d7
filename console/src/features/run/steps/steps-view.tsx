import { useMemo, useState } from "react";
import type { ReactNode } from "react";
import { count, plural } from "../../../lib/format.ts";
import { hasEnded, stateOf } from "../../../lib/run-state.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/states.tsx";
import { useNow } from "../../../ui/time.tsx";
import type { StepFilter } from "../search.ts";
import type { LogStore } from "../log/log-store.ts";
import { noteOf } from "../model/notes.ts";
import { liveWords } from "../model/live-words.ts";
import { FULL_ZOOM, createAxis, visibleFolds } from "../model/time-axis.ts";
import { isCall } from "../model/tree.ts";
import { usePrefetchStep } from "../../records/run-queries.ts";
import type { RunHead, StepRow } from "../../records/run-head.ts";
import { AxisHead } from "./axis-head.tsx";
import { Minimap } from "./minimap.tsx";
import { HIDDEN, STEP_COLUMNS } from "./step-row.tsx";
import { StepTree } from "./step-tree.tsx";
import type { Revealed } from "./step-tree.tsx";
import { StepsToolbar } from "./steps-toolbar.tsx";
import { takeoversOf } from "./takeovers.ts";
import { useStepTree } from "./use-step-tree.ts";
import type { Scale } from "./waterfall.tsx";

const DRAWN_EVERY_MS = 500;

/** What {@link StepsView} takes. */
interface StepsViewProps {
  readonly head: RunHead;
  readonly rows: readonly StepRow[];
  readonly log: LogStore;
  readonly look: "timeline" | "list";
  readonly selected: string | undefined;
  readonly explained: string | undefined;
  readonly revealed: Revealed | undefined;
  /** Which steps alone are shown. */
  readonly filter: StepFilter | undefined;
  readonly onFilter: (filter: StepFilter | undefined) => void;
  readonly scroller: () => HTMLElement | null;
  readonly onSelect: (key: string) => void;
  readonly onOpen: (key: string) => void;
}

/** The steps of a run: a tree, with or without a waterfall beside it. */
export function StepsView(props: StepsViewProps) {
  const { head, rows, log, look, selected, filter, onFilter } = props;
  const tree = useStepTree(rows, selected, { filter, onFilter });
  const now = useNow(DRAWN_EVERY_MS, !hasEnded(stateOf(head))).getTime();
  // Read whenever the bars grow: the rows are not drawn again with each part of a text.
  const words = useMemo(() => liveWords(rows, log.snapshot().transcript, now), [rows, log, now]);
  const { scale, setZoom, toggleFold } = useScale(head, rows, now);
  const prefetch = usePrefetchStep(head);
  const names = new Map(head.agents.map(({ id, name }) => [id, name ?? undefined]));
  const calls = rows.filter(isCall).length;
  const shown = tree.flat.filter(({ node }) => isCall(node.row)).length;
  const { ask, question } = tree;
  const isAsked = question.text.trim() !== "" || question.filter !== undefined;

  return (
    <>
      <StepsToolbar
        question={question}
        onAsk={ask}
        zoom={scale.zoom}
        onZoom={setZoom}
        hasAxis={look === "timeline"}
        count={isAsked ? `${count(shown)} of ${plural(calls, "step")}` : plural(calls, "step")}
      />
      {tree.flat.length === 0 ? (
        <Empty
          title="No step matches"
          action={<Button onClick={() => ask({ text: "", filter: undefined })}>Clear filters</Button>}
        />
      ) : (
        <StepTree
          {...props}
          tree={tree}
          scale={scale}
          words={words}
          waits={log.snapshot().waits}
          agentNameOf={(row) => (row.agent_id === undefined ? undefined : names.get(row.agent_id))}
          noteOf={(row) => noteOf(head, row)}
          onHover={prefetch}
          heads={
            <Heads look={look}>
              <AxisHead scale={scale} onZoom={setZoom} onFold={toggleFold} />
              <Minimap rows={rows} axis={scale.axis} />
            </Heads>
          }
        />
      )}
    </>
  );
}

/** The time axis of the steps, with its zoom and the waits that are folded in it. */
function useScale(head: RunHead, rows: readonly StepRow[], now: number) {
  const [zoom, setZoom] = useState(FULL_ZOOM);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const axis = useMemo(() => createAxis(rows, now, unfolded), [rows, now, unfolded]);
  const takeovers = useMemo(() => takeoversOf(head.executions), [head.executions]);
  const folds = useMemo(() => visibleFolds(axis, zoom), [axis, zoom]);
  const scale: Scale = { axis, zoom, now, folds, takeovers };
  return { scale, setZoom, toggleFold: (from: number) => setUnfolded((before) => toggled(before, from)) };
}

function toggled(before: ReadonlySet<number>, each: number): ReadonlySet<number> {
  const next = new Set(before);
  if (!next.delete(each)) next.add(each);
  return next;
}

function Heads({ look, children }: { readonly look: "timeline" | "list"; readonly children: ReactNode }) {
  const head = "truncate text-caption font-medium text-ink-3";
  return (
    <div role="rowgroup" className="sticky top-9 z-10 border-b border-line bg-surface touch:top-11">
      <div role="row" aria-rowindex={1} className={`edged h-7 pe-page ${STEP_COLUMNS[look]}`}>
        <span role="columnheader">
          <span className="sr-only">Status</span>
        </span>
        <span role="columnheader" className={head}>
          Step
        </span>
        <span role="columnheader" className={`${head} ${HIDDEN[look].model}`}>
          Model
        </span>
        <span role="columnheader" className={`${head} text-end ${HIDDEN[look].duration}`}>
          Duration
        </span>
        <span role="columnheader" className={`${head} text-end ${HIDDEN[look].tokens}`}>
          In / out
        </span>
        <span role="columnheader" className={`${head} text-end ${HIDDEN[look].cost}`}>
          Cost
        </span>
        {look === "timeline" && (
          <span role="columnheader" aria-label="Time" className="relative h-full">
            {children}
          </span>
        )}
      </div>
    </div>
  );
}
