import type { StepRow } from "../../records/run-head.ts";

/** A step with its parts. */
export interface StepNode {
  readonly row: StepRow;
  readonly parts: readonly StepNode[];
  readonly sums: Sums;
}

/** What a step and all its parts have used. */
export interface Sums {
  /** Model calls, tool calls and questions. */
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly reasoningTokens: number;
  readonly costUsd: number;
  readonly hasFailed: boolean;
}

/** The number of branches by state. */
export interface BranchCounts {
  readonly all: number;
  readonly completed: number;
  readonly running: number;
  readonly waiting: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** Up to this many branches are open by default. */
export const OPEN_BRANCHES = 8;
/** With this many steps or more, groups start closed. */
const CLOSED_FROM = 2_000;

/** The tree of a run's steps, from rows in which parents come first. A row whose parent is missing is a root. */
export function buildTree(rows: readonly StepRow[]): readonly StepNode[] {
  const keys = new Set(rows.map(({ key }) => key));
  const byParent = Map.groupBy(rows, ({ parent }) => (parent !== undefined && keys.has(parent) ? parent : undefined));
  const nodesOf = (parent: string | undefined): readonly StepNode[] =>
    inOrder(
      (byParent.get(parent) ?? []).map((row) => {
        const parts = nodesOf(row.key);
        return { row, parts, sums: sumsOf(row, parts) };
      }),
    );
  return nodesOf(undefined);
}

function sumsOf(row: StepRow, parts: readonly StepNode[]): Sums {
  const own: Sums = {
    calls: isCall(row) ? 1 : 0,
    promptTokens: row.prompt_tokens ?? 0,
    completionTokens: row.completion_tokens ?? 0,
    cachedTokens: row.cached_tokens ?? 0,
    writtenTokens: row.cache_write_tokens ?? 0,
    reasoningTokens: row.reasoning_tokens ?? 0,
    costUsd: row.taken_over === true ? 0 : (row.cost_usd ?? 0),
    hasFailed: row.status === "failed",
  };
  return parts.reduce(
    (sum, { sums }) => ({
      calls: sum.calls + sums.calls,
      promptTokens: sum.promptTokens + sums.promptTokens,
      completionTokens: sum.completionTokens + sums.completionTokens,
      cachedTokens: sum.cachedTokens + sums.cachedTokens,
      writtenTokens: sum.writtenTokens + sums.writtenTokens,
      reasoningTokens: sum.reasoningTokens + sums.reasoningTokens,
      costUsd: sum.costUsd + sums.costUsd,
      hasFailed: sum.hasFailed || sums.hasFailed,
    }),
    own,
  );
}

/** Whether the row is a call of a model: of the agent's work, or for a summary of it. */
export function isModelCall({ kind }: Pick<StepRow, "kind">): boolean {
  return kind === "model" || kind === "summary";
}

/** Whether the row is a single call, not a group of others. */
export function isCall(row: StepRow): boolean {
  const { kind } = row;
  return isModelCall(row) || kind === "tool" || kind === "question";
}

/** Whether a call was in progress when its turn or its run ended: then nothing of it is recorded but its times. */
export function wasStopped(row: StepRow): boolean {
  return isCall(row) && row.size === undefined && (row.status === "cancelled" || row.status === "failed");
}

/** Branches that failed come first, then those that run or wait, then by their duration; other parts keep their order. */
function inOrder(nodes: readonly StepNode[]): readonly StepNode[] {
  const branches = nodes.filter(({ row }) => row.kind === "branch");
  if (branches.length < 2) return nodes;
  const sorted = branches.toSorted((a, b) => rank(a.row) - rank(b.row) || durationOf(b.row) - durationOf(a.row));
  const others = nodes.filter(({ row }) => row.kind !== "branch");
  return [...others.filter(({ row }) => row.kind !== "merge"), ...sorted, ...others.filter(isMerge)];
}

function isMerge({ row }: StepNode): boolean {
  return row.kind === "merge";
}

const RANKS: Readonly<Record<StepRow["status"], number>> = {
  failed: 0,
  running: 1,
  waiting: 1,
  completed: 2,
  cancelled: 2,
};

function rank({ status }: StepRow): number {
  return RANKS[status];
}

function durationOf({ started_at: from, ended_at: to }: StepRow): number {
  return from === undefined || to === undefined ? 0 : to - from;
}

/** The number of a step's branches by state; undefined for a step with fewer than two. */
export function branchCounts({ parts }: StepNode): BranchCounts | undefined {
  const branches = parts.filter(({ row }) => row.kind === "branch").map(({ row }) => row.status);
  if (branches.length < 2) return undefined;
  const count = (status: StepRow["status"]) => branches.filter((each) => each === status).length;
  return {
    all: branches.length,
    completed: count("completed"),
    running: count("running"),
    waiting: count("waiting"),
    failed: count("failed"),
    cancelled: count("cancelled"),
  };
}

/** Whether a group is open by default. @param rows how many steps the run has */
export function startsOpen(node: StepNode, rows: number): boolean {
  const branches = branchCounts(node);
  if (branches !== undefined && branches.all > OPEN_BRANCHES) return branches.failed === 1;
  return rows < CLOSED_FROM || node.sums.hasFailed;
}
