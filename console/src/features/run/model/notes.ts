import { shortId } from "../../../lib/format.ts";
import type { RunHead, StepRow } from "../../records/run-head.ts";

/** What is known of a step besides its record. */
export interface StepNote {
  /** Where there is little room. */
  readonly short: string;
  readonly full: string;
}

/** Where a step was taken from, that a person gave its output, or how the brain judged a worker's result. */
export function noteOf(
  { forked_from: origin, delegations }: Pick<RunHead, "forked_from" | "delegations">,
  row: StepRow,
): StepNote | undefined {
  if (row.taken_over === true) {
    return { short: "reused", full: origin === null ? "reused" : `reused from run ${shortId(origin.id)}` };
  }
  if (row.changed === true) return { short: "given", full: "given for this fork" };
  if (row.kind !== "delegation") return undefined;
  const name = row.label?.slice(0, row.label.indexOf(":"));
  const found = delegations.find(({ key }) => key === name);
  if (found?.status !== "accepted" || found.score === null) return undefined;
  return { short: `score ${found.score}`, full: `accepted, score ${found.score}` };
}
