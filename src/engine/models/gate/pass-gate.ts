import { setTimeout as sleep } from "node:timers/promises";
import { ModelError } from "#domain/models/model-call.ts";
import type { ModelRequest } from "#domain/models/model-call.ts";
import { estimatePromptTokens } from "#domain/models/prompt-tokens.ts";
import { modelKey } from "#domain/runs/step-key.ts";
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
  /** The number of its turn, from 0. */
  readonly turn: number;
  readonly route: ModelRoute;
  readonly request: Pick<ModelRequest, "messages" | "tools">;
  /** How long it may wait after a rejection, in milliseconds, before another model is called. */
  readonly maxClosedMs: number;
}

/**
 * Waits until the limits of a call's connection and model let it pass. A longer wait ends this execution; its events
 * say until when and why. @throws HeldError; ModelError when another model is to be called instead
 */
export async function passGate(engine: EngineServices, run: Run, call: GatedCall): Promise<Passed> {
  const { gate, provider, model } = call.route;
  if (gate === undefined) return UNLIMITED;
  const { workspaceId, agent } = run.job;
  const step = modelKey(run.turnKey, call.turn);
  const tokens = () => estimatePromptTokens(call.request, engine.limits.budgetBytesPerToken) + (agent.max_tokens ?? 0);
  // An earlier execution may have said that the call waits.
  const mayBeAnnounced = run.key.fence > 1;
  for (;;) {
    const found = await engine.gates.acquire(
      { gate, provider, model, workspaceId, jobId: run.key.jobId, step },
      tokens,
      run.signal,
    );
    if (found.kind === "passed") {
      // An execution that has lost its job finds out when it records the step.
      if (found.hasWaited && mayBeAnnounced)
        run.emit({ type: "CUSTOM", name: "model_wait_over", value: { step } }).catch(() => undefined);
      return found;
    }
    if (found.reason === "closed" && found.waitMs > call.maxClosedMs) {
      throw new ModelError("rate_limit", "its rate limit is used up", { retryAfterMs: found.waitMs });
    }
    if (found.waitMs > MAX_HELD_SLOT_MS) {
      await run.emit({ type: "CUSTOM", name: "model_wait", value: { step, ...waitOf(call.route, found) } });
      throw new HeldError(found.waitMs);
    }
    await sleep(found.waitMs, undefined, { signal: run.signal });
  }
}

function waitOf({ provider, model }: ModelRoute, { until, ahead, aMinute, reason }: MustWait) {
  const limit = aMinute === null ? "" : ` (${Math.floor(aMinute)} calls a minute)`;
  const why =
    reason === "closed"
      ? `The provider of ${model} takes no calls for now, because its rate limit is used up`
      : `The rate limit of ${model}${limit} is in use; ${ahead} other ${ahead === 1 ? "call waits" : "calls wait"} before this one`;
  const time = until.toISOString();
  const message = `${why}. The call is made at about ${time.slice(11, 19)} UTC.`;
  return { provider, model, reason, until: time, message };
}
