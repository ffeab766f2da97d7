import { newId } from "#lib/ids.ts";
import type { Dice } from "#lib/dice.ts";
import { DOORS } from "./doors.ts";
import type { Door } from "./doors.ts";
import { JOB_KINDS, titleOf } from "./titles.ts";
import type { JobKind } from "./titles.ts";
import type { Workforce } from "./workforce.ts";

/** A request for work. */
export interface Order {
  readonly kind: JobKind;
  readonly title: string;
  /** How it is given. */
  readonly door: Door;
  /** The thread of its run when it is given by AG-UI: the id of its task. */
  readonly threadId: string;
  readonly path: "/api-tasks" | "/api-runs";
  readonly body: Readonly<Record<string, unknown>>;
  /** Under which agent its stream is read; that of a team's run is read under the run. */
  readonly agentId?: string;
}

/** The order of a number, of a kind that the dice choose. */
export function orderOf(workforce: Workforce, number: number, dice: Dice): Order {
  const kind = dice.pick(JOB_KINDS);
  const title = titleOf(number, kind);
  const order = { kind, title, door: "envelope", threadId: newId() } as const;
  switch (kind) {
    case "handoffs":
    case "orchestra":
    case "discussion":
      return { ...order, path: "/api-runs", body: { team_id: workforce[kind], input_task: `Task Title: ${title}` } };
    case "pipeline":
      return { ...order, path: "/api-tasks", body: { title, assigned_team_id: workforce.pipeline } };
    case "guarded":
      return { ...order, ...taskOf(workforce.guarded, title) };
    default:
      return { ...order, ...taskOf(workforce.solo, title), door: dice.pick(DOORS) };
  }
}

/** The order of a reply that never seems to end. */
export function floodOrder(workforce: Workforce, number: number): Order {
  const title = titleOf(number, "flood");
  return { kind: "flood", title, door: "envelope", threadId: newId(), ...taskOf(workforce.solo, title) };
}

function taskOf(agentId: string, title: string) {
  return { path: "/api-tasks", body: { title, assigned_agent_id: agentId }, agentId } as const;
}
