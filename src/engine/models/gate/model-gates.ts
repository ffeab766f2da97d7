import { setTimeout as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Database } from "#db/database.ts";
import { announceBreaker, closeGate, passGate } from "#db/queries/queue/model-gates.ts";
import type { GateCall, GateVerdict, ToldLimits } from "#db/queries/queue/model-gates.ts";
import { ModelError } from "#domain/models/model-call.ts";
import { createLocalGate } from "./local-gate.ts";
import type { LocalGate } from "./local-gate.ts";
import { readLimits } from "./told-limits.ts";
import type { Passed, MustWait, ModelGates } from "../../run/ports.ts";

/** Gates that a process remembers. */
const MAX_GATES = 10_000;
/** How long a gate is closed after a first rejection that does not say so, in milliseconds; each further one doubles it. */
const CLOSED_MS = 1_000;
/** A rejection for longer is not waited for, in milliseconds. */
export const MAX_CLOSED_MS = 3_600_000;
/** How often a call that is held looks whether others have been answered, in milliseconds. */
const HOLD_MS = 20;

/** Creates the gates of a process. @param now a clock that does not jump, in milliseconds */
export function createModelGates(db: Database, now: () => number = () => performance.now()): ModelGates {
  const gates = new LRUCache<string, LocalGate>({ max: MAX_GATES });
  function gateOf(id: string): LocalGate {
    const gate = gates.get(id) ?? createLocalGate();
    gates.set(id, gate);
    return gate;
  }

  return {
    async acquire(call, tokens, signal) {
      const gate = gateOf(call.gate);
      let verdict = gate.check(now());
      for (; verdict === "hold"; verdict = gate.check(now())) await pause(HOLD_MS, undefined, { signal });
      if (verdict === "pass") return passed({ gate, call: { ...call, tokens: 0 }, hasWaited: false, rejections: 0 });
      const sized = { ...call, tokens: tokens() };
      const told = gate.takeTold();
      const asked = await passGate(db, sized, told);
      if (asked.passed === null) return mustWait(asked);
      if (asked.isCalm) gate.calm(now());
      const { hasWaited, rejections } = asked;
      return passed({ gate, call: sized, number: asked.passed, hasWaited, rejections });
    },
    isBroken: (id) => id !== undefined && gates.get(id)?.isBroken(now()) === true,
    share: (id) => gateOf(id).share(),
    open: (id) => gateOf(id).open(now()),
  };

  function passed({ gate, call, number, ...before }: Begun): Passed {
    let isAnswered = false;
    let told: ToldLimits | undefined;
    gate.begin(now());
    return {
      kind: "passed",
      ...before,
      answered(headers) {
        if (isAnswered) return;
        isAnswered = true;
        const limits = readLimits(headers, Date.now());
        told = limits && { ...limits, ...(number !== undefined && { by: number }) };
        gate.answered(told, now());
      },
      async ended(error) {
        if (!isAnswered) gate.unanswered();
        if (error === undefined) return gate.succeeded();
        if (!(error instanceof ModelError)) return;
        const isFailure = error.kind === "unavailable" || error.kind === "cut";
        if (isFailure && gate.failed(now())) await announceBreaker(db, call.gate);
        if (error.kind !== "rate_limit") return;
        gate.share();
        const closedMs = error.retryAfterMs ?? untilFull(told) ?? CLOSED_MS * 2 ** before.rejections;
        // Who is to come back tomorrow is told so at once, as all others are by the provider itself.
        if (closedMs > MAX_CLOSED_MS) return;
        const inLastMinute = Math.max(1, gate.inLastMinute(now()) - 1);
        await closeGate(db, call, { closedMs, told: gate.takeTold(), inLastMinute });
      },
    };
  }
}

interface Begun extends Pick<Passed, "hasWaited" | "rejections"> {
  readonly gate: LocalGate;
  readonly call: GateCall;
  /** Given by the database. */
  readonly number?: number;
}

/** Until the limit that was used up is full again. */
function untilFull(told: ToldLimits | undefined): number | undefined {
  if (told?.requestsLeft === 0) return told.requestsFullInMs;
  return told?.tokensLeft === 0 ? told.tokensFullInMs : undefined;
}

function mustWait({ until, waitMs, ahead, aMinute, reason }: GateVerdict): MustWait {
  if (until === null || waitMs === null) throw new Error("A call that may not pass has a time to ask again.");
  return { kind: "wait", until, waitMs, ahead, aMinute, reason: reason === "closed" ? "closed" : "limit" };
}
