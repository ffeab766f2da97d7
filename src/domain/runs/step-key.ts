/** The kinds of rows in the list of a run's steps. */
export const STEP_KINDS = [
  "model",
  "summary",
  "tool",
  "question",
  "branch",
  "step",
  "turn",
  "delegation",
  "revision",
  "wait",
  "merge",
] as const;

/** One of {@link STEP_KINDS}. */
export type StepKind = (typeof STEP_KINDS)[number];

/** The parsed key of a recorded step. */
export interface StepKey {
  readonly kind: "model" | "summary" | "tool" | "question" | "internal" | "failure";
  /** The key of its turn in a team run; for a failure, the turn that failed. */
  readonly turn: string | undefined;
  /** The number of a model call in its turn, from 0; of a summary, that of the call after it. */
  readonly call?: number;
  /** The id of its tool call, or of the call that the question is about. */
  readonly callId?: string;
}

/** The part after the turn's key. The first match counts: ids of calls may contain anything. */
const IN_TURN = /^(?:(.+?)\/)?((?:model|client):\d+|summary:\d+:\d+|(?:tool|answer):.+)$/s;
const FAILED_ATTEMPT = /^(step:\d+:attempt:\d+):failed$/;
const LATER_EXECUTION = /:(?:approved|answered|resumed:\d+)$/;

/** Parses the key of a recorded step. */
export function parseStepKey(key: string): StepKey {
  const failed = FAILED_ATTEMPT.exec(key)?.[1];
  if (failed !== undefined) return { kind: "failure", turn: failed };
  if (key.startsWith("ask:")) return { kind: "question", turn: undefined };
  const [, turn, name = ""] = IN_TURN.exec(key) ?? [];
  const [type, ...rest] = name.split(":");
  if (type === "model" || type === "summary") return { kind: type, turn, call: Number(rest[0]) };
  if (type === "tool") return { kind: "tool", turn, callId: rest.join(":").replace(LATER_EXECUTION, "") };
  // answer:<purpose>:<call>, followed by the round when a call may ask several times.
  if (type === "answer") return { kind: "question", turn, callId: rest.slice(1).join(":") };
  return { kind: "internal", turn };
}

const BRANCH = /^(step:\d+:attempt:\d+):(?:branch:(\d+)|merge)$/;

/** Returns the kind of a turn in a team run, and its parent turn. */
export function parseTurnKey(key: string): { readonly kind: StepKind; readonly parent: string | undefined } {
  const parent = BRANCH.exec(key)?.[1];
  if (parent !== undefined) return { kind: key.endsWith(":merge") ? "merge" : "branch", parent };
  if (key.startsWith("step:")) return { kind: "step", parent: undefined };
  if (key.startsWith("delegation:")) return { kind: "delegation", parent: "brain" };
  return { kind: "turn", parent: undefined };
}

/** Returns the number of a branch in its fan-out, from 0; undefined for other keys. */
export function branchNumber(key: string): number | undefined {
  const number = BRANCH.exec(key)?.[2];
  return number === undefined ? undefined : Number(number);
}

/** Returns the key of the first execution of a step: a tool call that asked a person is executed again. */
export function firstKey(key: string): string {
  return parseStepKey(key).kind === "tool" ? key.replace(LATER_EXECUTION, "") : key;
}

/** Returns the key of a summary before a model call of a turn; several before one call are numbered from 0. */
export function summaryKey(call: number, number: number): string {
  return `summary:${call}:${number}`;
}

/** Returns the key of a model call of a turn. */
export function modelKey(turn: string | undefined, call: number): string {
  return turn === undefined ? `model:${call}` : `${turn}/model:${call}`;
}
