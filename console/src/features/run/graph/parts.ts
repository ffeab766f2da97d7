import type { GraphNode } from "../../teams/graph/nodes.ts";
import type { StepRow } from "../../records/run-head.ts";
import type { StepNode } from "../model/tree.ts";

/** What a run has done at one box of its team's graph. */
export interface BoxWork {
  /** `pending` while nothing has begun. */
  readonly state: StepRow["status"] | "pending";
  readonly costUsd: number;
  /** How long what has ended took, in milliseconds. */
  readonly endedMs: number;
  /** Since when something runs or waits, as Unix milliseconds. */
  readonly since: number | undefined;
  /** The key of the step to look at: what runs, else what was last. */
  readonly step: string | undefined;
}

const STEP = /^steps\.(\d+)(?:\.(?:parallel_agents\.(\d+)|(merge_agent_id)))?$/;
const OPEN: ReadonlySet<string> = new Set(["running", "waiting"]);

/** What the run has done at a box: by the place of a step in a pipeline, else by the agent of its turns. */
export function workAt({ key, agent }: GraphNode, tree: readonly StepNode[]): BoxWork {
  const nodes = nodesAt(key, agent, tree);
  const rows = nodes.map(({ row }) => row);
  const open = rows.findLast(({ status }) => OPEN.has(status));
  const shown = open ?? rows.at(-1);
  return {
    state: shown?.status ?? "pending",
    costUsd: sum(nodes.map(costOf)),
    endedMs: sum(rows.map(({ started_at: from = 0, ended_at: to = from }) => to - from)),
    since: open?.started_at,
    step: shown?.key,
  };
}

function nodesAt(key: string, agent: string | undefined, tree: readonly StepNode[]): readonly StepNode[] {
  const [, step, branch, merge] = STEP.exec(key) ?? [];
  if (step !== undefined) {
    const tries = tree.filter(({ row }) => row.key.startsWith(`step:${step}:attempt:`));
    if (branch === undefined && merge === undefined) return tries;
    const ending = branch === undefined ? ":merge" : `:branch:${branch}`;
    return tries.flatMap(({ parts }) => parts.filter(({ row }) => row.key.endsWith(ending)));
  }
  // The brain has one box for giving work and one for judging it: the first shows both.
  if (key === "brain_agent_id") return tree.filter(({ row }) => row.key === "brain");
  if (agent === undefined || key.startsWith("brain_agent_id")) return [];
  const turns = [...tree, ...tree.flatMap(({ parts }) => parts)];
  return turns.filter(({ row: { kind, agent_id: by } }) => by === agent && (kind === "turn" || kind === "delegation"));
}

/** Without what a brain has given to others, which they show. */
function costOf({ sums, parts }: StepNode): number {
  return sums.costUsd - sum(parts.filter(({ row }) => row.kind === "delegation").map((part) => part.sums.costUsd));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
