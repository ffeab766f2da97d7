import type { StepRow } from "../../records/run-head.ts";

const KIND_LABELS: Readonly<Record<StepRow["kind"], string>> = {
  model: "Model call",
  summary: "Summary",
  tool: "Tool call",
  question: "Question",
  branch: "Branch",
  step: "Step",
  turn: "Turn",
  delegation: "Delegation",
  revision: "Revision",
  wait: "Wait",
  merge: "Merge",
};

/** The kind of a step in words. */
export function kindLabel({ kind }: StepRow): string {
  return KIND_LABELS[kind];
}

/** What a step is called: its label, or its kind with its number from 1. */
export function nameOf(row: StepRow): string {
  if (row.kind === "merge") return "Merge the branches";
  if (row.kind === "summary") return "Summary of older turns";
  if (row.label !== undefined && row.label !== "") return row.label;
  if (row.key === "brain") return "Orchestrator";
  const number = (row.kind === "step" ? /^step:(\d+)/ : /(?:^|\D)(\d+)$/).exec(row.key)?.[1];
  return number === undefined ? kindLabel(row) : `${kindLabel(row)} ${Number(number) + 1}`;
}

/** What a step is called below its group: a branch without the name of its fan-out. */
export function nameIn(group: StepRow | undefined, row: StepRow): string {
  const name = nameOf(row);
  const prefix = group === undefined || row.kind !== "branch" ? "" : `${nameOf(group)}: `;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** The agent of a step, unless what the step is called has its name already. */
export function agentBeside(row: StepRow, agent: string | undefined): string | undefined {
  return agent === undefined || nameOf(row).includes(agent) ? undefined : agent;
}

/** What a step is called with the turn that it is a part of: `Review, model call 1`. */
export function placeOf(row: StepRow, rows: readonly StepRow[]): string {
  const turn = rows.find(({ key }) => key === row.parent);
  if (turn === undefined) return nameOf(row);
  const name = row.kind === "model" ? nameOf(row).toLowerCase() : nameOf(row);
  return `${nameOf(turn)}, ${name}`;
}

const TURN_LABELS: Readonly<Record<string, string>> = {
  brain: "Orchestrator",
  delegation: "Delegation",
  step: "Step",
  turn: "Turn",
  moderate: "Facilitator, turn",
  select: "Choice of the speaker, turn",
};

/**
 * What a turn of a team is called when only its key is known, as after the retention: `step:1:attempt:0:branch:2` is
 * `Step 2, branch 3`.
 */
export function turnName(key: string): string {
  const [kind = "", number] = key.split(":");
  const label = TURN_LABELS[kind];
  if (label === undefined) return key;
  if (kind === "brain" || kind === "delegation") return label;
  const attempt = Number(/:attempt:(\d+)/.exec(key)?.[1] ?? 0);
  const branch = /:branch:(\d+)/.exec(key)?.[1];
  return [
    `${label} ${Number(number) + 1}`,
    ...(attempt > 0 ? [`attempt ${attempt + 1}`] : []),
    ...(branch === undefined ? [] : [`branch ${Number(branch) + 1}`]),
    ...(key.endsWith(":merge") ? ["merge"] : []),
  ].join(", ");
}
