import { useRef } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { ArrowDownIcon } from "../../../ui/icons.ts";
import { GraphBox } from "./graph-box.tsx";
import type { DrawnBox, Editing } from "./graph-box.tsx";
import type { GraphNode, Stage, TeamGraph as Graph } from "./nodes.ts";
import { nodeFrom, nodeOf } from "./walk.ts";

const HOW_LABELS = { alone: "", parallel: "in parallel", turns: "in turn" } as const;

/**
 * A team's config as a picture, read from top to bottom. Each box opens a menu; the arrow keys lead from box to box.
 * Without `editing` it only shows the config.
 */
export function TeamGraph({
  graph,
  editing,
  boxOf: drawn,
}: {
  readonly graph: Graph;
  readonly editing: Editing | undefined;
  /** Draws a box otherwise, such as with what a run has done there. */
  readonly boxOf?: (box: DrawnBox) => ReactNode;
}) {
  const figure = useRef<HTMLElement>(null);

  /** Before the menus of the boxes, which the arrow down would open. */
  function onKey(event: KeyboardEvent): void {
    const from = nodeOf(event.target);
    if (from === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = figure.current && nodeFrom(figure.current, from, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  const boxOf = drawn ?? ((box: DrawnBox) => <GraphBox {...box} editing={editing} />);
  const { stages, add } = graph;
  return (
    <figure ref={figure} onKeyDownCapture={onKey} aria-label="How the work goes" className="flex flex-col items-center">
      <End>Input</End>
      {stages.map((stage, index) => (
        <div key={stage.node.key} className="flex w-full flex-col items-center">
          <Arrow words={index === 0 ? undefined : stages[index - 1]?.next} />
          <StageBox stage={stage} isEdited={editing !== undefined} boxOf={boxOf} />
        </div>
      ))}
      {add !== undefined && editing !== undefined && (
        <>
          <Arrow words={undefined} />
          <div className="w-full max-w-80">{boxOf({ node: add, look: "add" })}</div>
        </>
      )}
      <Arrow words={stages.at(-1)?.next} />
      <End>Result</End>
    </figure>
  );
}

function StageBox({
  stage,
  isEdited,
  boxOf,
}: {
  readonly stage: Stage;
  readonly isEdited: boolean;
  readonly boxOf: (box: DrawnBox) => ReactNode;
}) {
  const { node, how, members } = stage;
  if (how === "alone") {
    return <div className="w-full max-w-80">{boxOf({ node, look: "box" })}</div>;
  }
  const agents = members.filter(({ agent }) => agent !== undefined);
  return (
    <div className="w-full max-w-80 rounded-panel border border-dashed border-control/60 p-1.5">
      {boxOf({ node, look: "head", how: HOW_LABELS[how] })}
      <ul aria-label={node.title} className="mt-1 grid grid-cols-2 gap-1.5">
        {(isEdited ? members : agents).map((member) => (
          <li key={member.key} className="min-w-0">
            {boxOf({ node: member, look: isAdding(member) ? "add" : "member" })}
          </li>
        ))}
      </ul>
      {agents.length === 0 && <p className="px-1 pt-1 text-waiting">No agent yet</p>}
    </div>
  );
}

function isAdding({ agent }: GraphNode): boolean {
  return agent === undefined;
}

function Arrow({ words }: { readonly words: string | undefined }) {
  return (
    <span className="relative flex h-8 items-center text-ink-3">
      <ArrowDownIcon />
      {words !== undefined && <span className="absolute start-full ms-1 text-caption whitespace-nowrap">{words}</span>}
    </span>
  );
}

function End({ children }: { readonly children: string }) {
  return <span className="rounded-full bg-raised px-3 py-0.5 text-small text-ink-2">{children}</span>;
}
