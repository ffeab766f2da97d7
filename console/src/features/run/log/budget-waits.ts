import type { RunEvent } from "../../../api/live-stream.ts";
import type { StepRow } from "../../records/run-head.ts";

/** A model call's wait: for budgets in which calls in progress have reserved what it needs, or for a rate limit. */
export interface BudgetWait {
  /** Unix milliseconds. */
  readonly from: number;
  /** Undefined while it waits. */
  readonly to: number | undefined;
  /** The service's words: which budget, and what of it is used and reserved; or which limit, and until when. */
  readonly reason: string;
}

/** The newest wait of each call, by the key of its step. */
export type BudgetWaits = ReadonlyMap<string, BudgetWait>;

const BEGINS: ReadonlySet<unknown> = new Set(["budget_wait", "model_wait"]);
const ENDS: ReadonlySet<unknown> = new Set(["budget_wait_over", "model_wait_over"]);

/** Before the first event. */
export const NO_WAITS: BudgetWaits = new Map();

/** The waits after some more events; the same object if they change none. */
export function addWaits(before: BudgetWaits, events: readonly RunEvent[]): BudgetWaits {
  let waits = before;
  for (const event of events) {
    if (event.type === "RUN_STARTED") waits = NO_WAITS;
    if (event.type !== "CUSTOM") continue;
    // A call of a process that died or stopped is made again, and then waits again.
    if (event["name"] === "run_resumed") waits = NO_WAITS;
    const { step, message } = fieldsOf(event["value"]);
    const at = event["timestamp"];
    if (typeof step !== "string" || typeof at !== "number") continue;
    const open = waits.get(step);
    if (BEGINS.has(event["name"]) && typeof message === "string") {
      // A call that is let through later than was said has waited from the beginning.
      const from = open?.to === undefined ? (open?.from ?? at) : at;
      waits = new Map(waits).set(step, { from, to: undefined, reason: message });
    } else if (ENDS.has(event["name"]) && open !== undefined) {
      waits = new Map(waits).set(step, { ...open, to: at });
    }
  }
  return waits;
}

/** Why a call waits now; undefined if it does not. */
export function waitReason(waits: BudgetWaits, { key, status }: StepRow): string | undefined {
  const wait = status === "running" ? waits.get(key) : undefined;
  return wait?.to === undefined ? wait?.reason : undefined;
}

/** The row of a call that is not recorded yet, with how long it has waited. */
export function withWait(row: StepRow, waits: BudgetWaits, now: number): StepRow {
  const wait = row.status === "running" ? waits.get(row.key) : undefined;
  if (wait === undefined) return row;
  return { wait_ms: Math.max((wait.to ?? now) - (row.started_at ?? wait.from), 0), ...row };
}

function fieldsOf(value: unknown): { readonly step?: unknown; readonly message?: unknown } {
  return typeof value === "object" && value !== null ? value : {};
}
