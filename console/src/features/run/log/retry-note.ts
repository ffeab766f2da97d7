import type { RunEvent } from "../../../api/live-stream.ts";
import type { StepRow } from "../../records/run-head.ts";
import { customNote } from "./transcript.ts";

/** Why a model call in progress is made once more, in the service's words; undefined at its first try. */
export function retryNote(events: readonly RunEvent[], { key, status }: StepRow): string | undefined {
  if (status !== "running") return undefined;
  // After a takeover the call is at its first try again.
  const last = events.findLast((event) => isCustom(event, "run_resumed") || isRetryOf(event, key));
  return last === undefined || isCustom(last, "run_resumed") ? undefined : customNote("model_retry", last["value"]);
}

function isCustom(event: RunEvent, name: string): boolean {
  return event.type === "CUSTOM" && event["name"] === name;
}

function isRetryOf(event: RunEvent, key: string): boolean {
  const value = event["value"];
  const hasStep = typeof value === "object" && value !== null && "step" in value;
  return isCustom(event, "model_retry") && hasStep && value.step === key;
}
