import { useMemo } from "react";
import { cost, duration } from "../../../lib/format.ts";
import { QueryPart } from "../../../ui/query-part.tsx";
import { Duration } from "../../../ui/time.tsx";
import { BoxText, LOOKS } from "../../teams/graph/graph-box.tsx";
import type { DrawnBox } from "../../teams/graph/graph-box.tsx";
import { graphOf } from "../../teams/graph/graph.ts";
import { TeamGraph } from "../../teams/graph/team-graph.tsx";
import { useTeam } from "../../teams/queries.ts";
import type { StepRow } from "../../records/run-head.ts";
import { buildTree } from "../model/tree.ts";
import { StepState } from "../steps/step-state.tsx";
import { workAt } from "./parts.ts";
import type { BoxWork } from "./parts.ts";

/** The graph of the run's team, with what the run has done at each box. A click opens its step. */
export function RunGraph({
  teamId,
  rows,
  selected,
  onOpen,
}: {
  readonly teamId: string;
  readonly rows: readonly StepRow[];
  /** The key of the step that is selected. */
  readonly selected: string | undefined;
  readonly onOpen: (key: string) => void;
}) {
  const query = useTeam(teamId);
  const tree = useMemo(() => buildTree(rows), [rows]);
  const boxOf = (box: DrawnBox) => {
    const work = workAt(box.node, tree);
    return (
      <RunBox {...box} work={work} isSelected={work.step !== undefined && work.step === selected} onOpen={onOpen} />
    );
  };
  return (
    <div className="px-page py-6">
      <QueryPart query={query}>
        {({ mode, config }) => <TeamGraph graph={graphOf(mode, config)} editing={undefined} boxOf={boxOf} />}
      </QueryPart>
      <p className="mt-6 text-center text-small text-ink-3">
        The team as it is now. What an earlier config did is in the list of steps.
      </p>
    </div>
  );
}

function RunBox({
  node,
  look,
  how,
  work,
  isSelected,
  onOpen,
}: DrawnBox & { readonly work: BoxWork; readonly isSelected: boolean; readonly onOpen: (key: string) => void }) {
  const { step } = work;
  const border = look === "head" ? "" : isSelected ? "border-accent" : "border-line";
  const className = `flex w-full flex-col items-start gap-1 text-start ${LOOKS[look]} ${border}`;
  const text = <BoxText node={node} look={look} how={how} />;
  // The second box of a brain and the head of a group say what the others do.
  if (step === undefined && (node.agent === undefined || node.key.endsWith(".judges"))) {
    return <div className={className}>{text}</div>;
  }
  const content = (
    <>
      <span className="flex w-full items-center gap-2">
        <StepState status={work.state} />
        {text}
      </span>
      {step !== undefined && <Figures work={work} />}
    </>
  );
  if (step === undefined) return <div className={`${className} text-ink-2`}>{content}</div>;
  return (
    <button
      type="button"
      data-node={node.key}
      aria-current={isSelected || undefined}
      onClick={() => onOpen(step)}
      className={`${className} transition-colors duration-120 hover:bg-raised`}
    >
      {content}
    </button>
  );
}

function Figures({ work: { costUsd, endedMs, since } }: { readonly work: BoxWork }) {
  return (
    <span className="flex flex-wrap gap-x-2 ps-6 text-caption text-ink-3">
      {since === undefined ? (
        <span>{duration(endedMs)}</span>
      ) : (
        <Duration from={new Date(since).toISOString()} to={null} plusMs={endedMs} />
      )}
      <span>{cost(costUsd)}</span>
    </span>
  );
}
