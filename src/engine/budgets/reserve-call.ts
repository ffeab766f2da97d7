import { approversOf } from "#domain/agents/agent.ts";
import type { BudgetCall } from "#db/queries/budgets/budget-reservations.ts";
import { ModelError } from "#domain/models/model-call.ts";
import type { TokenUsage } from "#domain/models/model-call.ts";
import type { StepFacts } from "#domain/runs/step-facts.ts";
import { modelKey } from "#domain/runs/step-key.ts";
import { newId } from "#lib/ids.ts";
import { answerKey } from "../run/ask-person.ts";
import {
  BudgetQuestion,
  breachFailure,
  breachQuestion,
  describeBreach,
  rejectionFailure,
  unpricedFailure,
} from "./budget-breach.ts";
import { OwnershipLostError } from "../queue/ownership.ts";
import type { EngineServices, Run, UntimedEvent } from "../run/run-context.ts";
import { budgetCall, interruptedUsage, maxTokensOf, targetsOf } from "./budget-call.ts";
import type { BillableCall, IdentifiedCall } from "./budget-call.ts";
import { lostCallId } from "./lost-call.ts";
import { ALREADY_KNOWN, noteLater } from "./note-later.ts";
import { reserveInTurn } from "./reserve-in-turn.ts";
import type { FinalVerdict } from "./reserve-in-turn.ts";
import type { UsedInTurn } from "./usage-entry.ts";

/** The budgets' side of a call in progress; end it with `settle` or `interrupt`. */
export interface Reservation {
  /** The maximum number of tokens of the reply; undefined without a budget. */
  readonly maxTokens: number | undefined;
  /** Call it when the first part of the reply arrives. */
  begin(): void;
  /** The call was answered: returns how its usage is charged. */
  settle(usage: TokenUsage): Promise<Charge>;
  /** The call failed: it is recorded and charged, unless it cost nothing. */
  interrupt(error: unknown): Promise<void>;
}

/** How the usage of a reply is charged. */
export interface Charge {
  /** The reservation that is charged with it; undefined when nothing was reserved or noted. */
  readonly reservation: string | undefined;
  /** What was reserved; undefined when no budget applies. */
  readonly reserved?: StepFacts["reserved"];
  /** What a budget is charged because the provider reported no usage. */
  readonly worst?: UsedInTurn["worst"];
}

/**
 * Reserves the worst case of a call in all budgets that apply; it stays reserved until the call ends. If it fits only
 * after other calls have been charged, waits for them. A call without a budget is noted when it takes long. Of an
 * interrupted call, what the provider had reported is charged, and the worst case of the rest.
 * @throws RunFailure `BUDGET_EXCEEDED`; BudgetQuestion when a person must approve it
 */
export async function reserveCall(engine: EngineServices, run: Run, planned: BillableCall): Promise<Reservation> {
  const { budgets } = engine;
  const call = { ...planned, id: newId() };
  const mayApply = await budgets.mayApply(run.job.workspaceId, targetsOf(run));
  const reserved = mayApply ? await reserve(engine, run, call) : undefined;
  const note = reserved === undefined ? noteLater(engine, run, call) : ALREADY_KNOWN;
  let began = false;
  return {
    maxTokens: reserved && maxTokensOf(engine, call),
    begin: () => (began = true),
    async settle({ promptTokens, completionTokens }) {
      const reservation = (await note.end()) ? call.id : undefined;
      if (reserved === undefined) return { reservation };
      const { usd, tokens } = reserved;
      const isReported = promptTokens + completionTokens > 0;
      // Some endpoints report no usage: then the worst case is charged.
      return { reservation, reserved: { usd, tokens }, ...(!isReported && { worst: { usd: usd ?? 0, tokens } }) };
    },
    async interrupt(error) {
      const isKnown = await note.end();
      const isUnsent = error instanceof OwnershipLostError || (error instanceof ModelError && error.isRefusal);
      const reported = error instanceof ModelError ? error.usage : undefined;
      // Another execution may have recorded it already.
      const isLost = !isKnown && (run.signal.aborted || error instanceof OwnershipLostError);
      const id = isLost ? lostCallId(run, call.name, run.key.fence) : call.id;
      if (began || !isUnsent) await budgets.interrupt(interruptedUsage(engine, run, { ...call, id, reported }));
      else if (isKnown) await budgets.free(call.id);
    },
  };
}

/** Reserves a call's worst case, including waits and questions; undefined when no budget applies. */
async function reserve(engine: EngineServices, run: Run, call: IdentifiedCall): Promise<BudgetCall | undefined> {
  const { name, turn, route } = call;
  const worst = budgetCall(engine, run, call);
  const asked: string[] = [];
  for (;;) {
    const { verdict, standing } = await reserveAloud(engine, run, { turn, model: route.model, worst });
    switch (verdict) {
      case "free":
        return undefined;
      case "granted":
        return worst;
      case "unpriced":
        throw unpricedFailure(standing, route.model);
      case "exceeded": {
        if (standing.on_breach === "stop") throw breachFailure(standing, worst);
        // An answer is for the budget and the window that the question named, whatever else is exceeded by then.
        const window = `${standing.id}:${standing.key}`;
        const before = asked.filter((each) => each === window).length;
        asked.push(window);
        const id = `budget:${name}:${window}:${before}`;
        const open = breachQuestion(standing, worst, { id, approvers: approversOf(run.job.agent.config) });
        const answer = run.answerTo(answerKey(open));
        if (answer === undefined) throw new BudgetQuestion(open);
        if (answer["approved"] !== true) throw rejectionFailure(standing, worst);
        await engine.budgets.extend(standing, { call: worst, answer: `${run.turnKey ?? ""}/${answerKey(open)}` });
      }
    }
  }
}

/** Reserves a worst case, and informs stream readers when the call begins to wait for budgets, why, and until when. */
async function reserveAloud(
  { budgets }: EngineServices,
  run: Run,
  { turn, model, worst }: { readonly turn: number; readonly model: string; readonly worst: BudgetCall },
): Promise<FinalVerdict> {
  const step = modelKey(run.turnKey, turn);
  // An execution that has lost its job finds out when it records the step.
  const announce = (event: UntimedEvent) => void run.emit(event).catch(() => undefined);
  let hasWaited = false;
  try {
    return await reserveInTurn(budgets, worst, {
      signal: run.signal,
      onWait(standing) {
        hasWaited = true;
        const value = { step, model, budget_id: standing.id, message: describeBreach(standing, worst) };
        announce({ type: "CUSTOM", name: "budget_wait", value });
      },
    });
  } finally {
    if (hasWaited) announce({ type: "CUSTOM", name: "budget_wait_over", value: { step } });
  }
}
