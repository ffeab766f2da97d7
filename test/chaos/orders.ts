import type { Dice } from "./dice.ts";
import { JOB_KINDS, titleOf } from "./titles.ts";
import type { JobKind } from "./titles.ts";
import type { Workforce } from "./workforce.ts";

/** A request for work. */
export interface Order {
  readonly kind: JobKind;
  readonly title: string;
  readonly path: "/api-tasks" | "/api-runs";
  readonly body: Readonly<Record<string, unknown>>;
  /** Under which agent its stream is read; that of a team's run is read under the run. */
  readonly agentId?: string;
}

/** The order of a number, of a kind that the dice choose. */
export function orderOf(workforce: Workforce, number: number, dice: Dice): Order {
  const kind = dice.pick(JOB_KINDS);
  const title = titleOf(number, kind);
  const order = { kind, title } as const;
  switch (kind) {
    case "handoffs":
    case "orchestra":
    case "discussion":
      return { ...order, path: "/api-runs", body: { team_id: workforce[kind], input_task: `Task Title: ${title}` } };
    case "pipeline":
      return { ...order, path: "/api-tasks", body: { title, assigned_team_id: workforce.pipeline } };
    default: {
      const agentId = kind === "guarded" ? workforce.guarded : workforce.solo;
      return { ...order, path: "/api-tasks", body: { title, assigned_agent_id: agentId }, agentId };
    }
  }
}
