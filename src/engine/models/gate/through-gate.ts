import { setTimeout as sleep } from "node:timers/promises";
import { ModelError } from "#domain/models/model-call.ts";
import { HeldError } from "../../queue/ownership.ts";
import type { EngineServices, Run } from "../../run/run-context.ts";
import type { ModelRoute, MustWait, Passed } from "../../run/ports.ts";

/** A longer wait frees the run's slot: its job is queued for later. In milliseconds. */
export const MAX_HELD_SLOT_MS = 2_000;

/** The pass of a model without a connection. */
const UNLIMITED: Passed = {
  kind: "passed",
  hasWaited: false,
  rejections: 0,
  answered: () => {},
  ended: () => Promise.resolve(),
};

/** A model call that is about to be made. */
export interface GatedCall {
  readonly route: ModelRoute;
  /** The key of the step that records it. */
  readonly step: string;
  /** The tokens that it may use. */
  readonly tokens: () => number;
  /** How long it may wait after a rejection, in milliseconds, before another model is called. */
  readonly maxClosedMs: number;
}

/**
 * Makes a model call when the limits of its connection and model let it pass. A longer wait ends this execution; its
 * events say until when and why. @throws HeldError; any error of `make`
 */
export async function throughGate<T>(
  engine: EngineServices,
  run: Run,
  call: GatedCall,
  make: (passed: Passed) => Promise<T>,
): Promise<T> {
  const { gate } = call.route;
  const passed = gate === undefined ? UNLIMITED : await pass(engine, run, { ...call, gate });
  try {
    const made = await make(passed);
    await passed.ended();
    return made;
  } catch (error) {
    await passed.ended(error);
    throw error;
  }
}

async function pass(engine: EngineServices, run: Run, call: GatedCall & { readonly gate: string }): Promise<Passed> {
  const { route, step, tokens, gate } = call;
  const { provider, model } = route;
  const { workspaceId } = run.job;
  let isAnnounced = run.key.fence > 1;
  for (;;) {
    const found = await engine.gates.acquire(
      { gate, provider, model, workspaceId, jobId: run.key.jobId, step },
      tokens,
      run.signal,
    );
    if (found.kind === "passed") {
      // An execution that has lost its job finds out when it records the step.
      if (found.hasWaited && isAnnounced)
        run.emit({ type: "CUSTOM", name: "model_wait_over", value: { step } }).catch(() => undefined);
      return found;
    }
    if (found.reason === "closed" && found.waitMs > call.maxClosedMs) {
      throw new ModelError("rate_limit", "its rate limit is used up", { retryAfterMs: found.waitMs });
    }
    if (found.waitMs > MAX_HELD_SLOT_MS) {
      isAnnounced = true;
      await run.emit({ type: "CUSTOM", name: "model_wait", value: waitOf(call, found) });
      throw new HeldError(found.waitMs);
    }
    await sleep(found.waitMs, undefined, { signal: run.signal });
  }
}

function waitOf({ route, step }: GatedCall, { until, ahead, aMinute, reason }: MustWait) {
  const { provider, model } = route;
  return {
    step,
    provider,
    model,
    reason,
    until: until.toISOString(),
    message: messageOf(model, { ahead, aMinute, reason, until }),
  };
}

function messageOf(
  model: string,
  { ahead, aMinute, reason, until }: Pick<MustWait, "ahead" | "aMinute" | "reason" | "until">,
) {
  const limit = aMinute === null ? "" : ` (${Math.floor(aMinute)} calls a minute)`;
  const why =
    reason === "closed"
      ? `The provider of ${model} takes no calls for now, because its rate limit is used up`
      : `The rate limit of ${model}${limit} is in use; ${ahead} other ${ahead === 1 ? "call waits" : "calls wait"} before this one`;
  return `${why}. The call is made at about ${until.toISOString().slice(11, 19)} UTC.`;
}
