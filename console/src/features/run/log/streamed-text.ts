import type { StepRow } from "../../records/run-head.ts";
import type { Entry, Transcript } from "./transcript.ts";

/** The clocks of the processes may differ by as much. */
const SLACK_MS = 2_000;

/**
 * The text of a model call that is not recorded yet. Only its record will name its message; the message has its turn
 * and the time.
 * @param turn the name of the call's turn, in a team's run
 */
export function streamedText(
  { entries }: Transcript,
  { started_at: from = 0, ended_at: to = Infinity }: StepRow,
  turn: string | undefined,
): (Entry & { readonly kind: "message" }) | undefined {
  return entries
    .filter((entry) => entry.kind === "message")
    .findLast((entry) => {
      return entry.turn === turn && entry.at >= from - SLACK_MS && entry.at <= to + SLACK_MS;
    });
}

/** What the model of such a call thinks, or has thought last. */
export function streamedThought(
  { entries }: Transcript,
  { started_at: from = 0 }: StepRow,
  turn: string | undefined,
): (Entry & { readonly kind: "thought" }) | undefined {
  return entries
    .filter((entry) => entry.kind === "thought")
    .findLast((entry) => entry.turn === turn && entry.at >= from);
}
