import type { AlertReading } from "./alert-notice.ts";

/** What a reading is judged by. */
interface Rule {
  readonly threshold: number;
  readonly min_runs: number | null;
  readonly state: "ok" | "firing";
}

/** The change that a reading makes to an alert: `firing`, `resolved`, or undefined when its state stays. */
export function judgeAlert(rule: Rule, { value }: AlertReading): "firing" | "resolved" | undefined {
  const isFiring = value !== null && value >= rule.threshold;
  if (isFiring === (rule.state === "firing")) return undefined;
  return isFiring ? "firing" : "resolved";
}

/** A reading of too few runs has no value: one failed run of one is no rate. */
export function withMinimum({ min_runs: min }: Pick<Rule, "min_runs">, reading: AlertReading): AlertReading {
  return min !== null && (reading.runs ?? 0) < min ? { ...reading, value: null } : reading;
}
