import type { StreamEvent } from "#client/index.ts";

/** An event that is not older was made just now, in milliseconds. */
const LIVE_MS = 2_000;

/** A step of a watched run; times are in milliseconds since 1970, by the service's clock in whole seconds. */
export interface RunStep {
  readonly name: string;
  readonly state: "running" | "done" | "failed";
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
}

/** The steps of a run in the order in which they began, as its events report them. */
export interface RunSteps {
  readonly all: readonly RunStep[];
  /** Takes an event in; returns the step that it began or ended. */
  take(event: StreamEvent): RunStep | undefined;
}

/** What is known of a step's end. */
interface EndOfStep {
  readonly timestamp: number;
  readonly tokensUsed?: number;
  readonly costUsd?: number;
}

/** Makes the steps of a run that has none so far. */
export function createRunSteps(): RunSteps {
  const all: RunStep[] = [];

  function begin(name: string, startedAt: number): RunStep {
    const step: RunStep = { name, state: "running", startedAt };
    all.push(step);
    return step;
  }

  function end(name: string, { tokensUsed, costUsd, timestamp }: EndOfStep): RunStep | undefined {
    const index = all.findIndex((step) => step.name === name && step.state === "running");
    const begun = all[index];
    if (begun === undefined) return undefined;
    const step: RunStep = {
      ...begun,
      // A step that came to nothing has no usage of its own.
      state: tokensUsed === undefined ? "failed" : "done",
      endedAt: asMs(timestamp),
      ...(tokensUsed !== undefined && { tokens: tokensUsed }),
      ...(costUsd !== undefined && { costUsd }),
    };
    all[index] = step;
    return step;
  }

  return {
    all,
    take(event) {
      if (event.type === "STEP_STARTED") return begin(event.stepName, asMs(event.timestamp));
      if (event.type === "STEP_FINISHED") return end(event.stepName, event);
      if (event.type === "RUN_ERROR") {
        const { timestamp } = event;
        for (const { name } of all.filter(({ state }) => state === "running")) end(name, { timestamp });
      }
      return undefined;
    },
  };
}

/** The time of an event. The service sends whole seconds: one of this moment is timed by this clock, to the millisecond. */
function asMs(timestamp: number): number {
  const now = Date.now();
  const sent = timestamp * 1_000;
  return Math.abs(now - sent) < LIVE_MS ? now : sent;
}
