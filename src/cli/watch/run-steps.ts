import type { StreamEvent } from "#client/index.ts";

/** The maximum age of an event that counts as live, in milliseconds. */
const LIVE_MS = 2_000;

/** A step of a watched run; times are in milliseconds since 1970, by the service's clock in whole seconds. */
export interface RunStep {
  readonly name: string;
  readonly state: "running" | "done" | "failed" | "cancelled";
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
}

/** The steps of a run in the order of their starts, as reported by its events. */
export interface RunSteps {
  readonly all: readonly RunStep[];
  /** Processes an event; returns the step that it started or ended. */
  take(event: StreamEvent): RunStep | undefined;
}

/** The facts of a step's end. */
interface EndOfStep {
  readonly timestamp: number;
  readonly tokensUsed?: number;
  readonly costUsd?: number;
  readonly code?: string;
}

/** Creates the steps of a run, still without any. */
export function createRunSteps(): RunSteps {
  const all: RunStep[] = [];

  function begin(name: string, startedAt: number): RunStep {
    const step: RunStep = { name, state: "running", startedAt };
    all.push(step);
    return step;
  }

  function end(name: string, { tokensUsed, costUsd, code, timestamp }: EndOfStep): RunStep | undefined {
    const index = all.findIndex((step) => step.name === name && step.state === "running");
    const begun = all[index];
    if (begun === undefined) return undefined;
    const step: RunStep = {
      ...begun,
      state: stateOf({ tokensUsed, code }),
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
        const { timestamp, code } = event;
        for (const { name } of all.filter(({ state }) => state === "running")) end(name, { timestamp, code });
      }
      return undefined;
    },
  };
}

/** A step without a result has no usage of its own, but the code of what ended it. */
function stateOf({ tokensUsed, code }: Pick<EndOfStep, "tokensUsed" | "code">): RunStep["state"] {
  if (tokensUsed !== undefined) return "done";
  return code === "CANCELLED" ? "cancelled" : "failed";
}

/**
 * Returns the time of an event. The service sends whole seconds, so a live event gets this clock's time in
 * milliseconds.
 */
function asMs(timestamp: number): number {
  const now = Date.now();
  const sent = timestamp * 1_000;
  return Math.abs(now - sent) < LIVE_MS ? now : sent;
}
