import { approversOf } from "#domain/agents/agent.ts";
import type { BudgetCall } from "#db/queries/budgets/budget-reservations.ts";
import { ModelError } from "#domain/models/model-call.ts";
import type { StepFacts } from "#domain/runs/step-facts.ts";
import { modelKey } from "#domain/runs/step-key.ts";
import { newId } from "#lib/ids.ts";
import { answerKey } from "../run/ask-person.ts";
import { BudgetQuestion, breachFailure, breachQuestion, rejectionFailure, unpricedFailure } from "./budget-breach.ts";
import { OwnershipLostError } from "../queue/ownership.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { reserveForRun } from "./reserve-for-run.ts";
import { budgetCall, interruptedUsage, maxTokensOf, targetsOf } from "./budget-call.ts";
import type { BillableCall, IdentifiedCall } from "./budget-call.ts";
import { lostCallId } from "./lost-call.ts";
import { ALREADY_KNOWN, noteLater } from "./note-later.ts";
import type { Used, UsedInTurn } from "./usage-entry.ts";

/** A model call to make. */
export interface PlannedCall<Reply> extends BillableCall {
  /** Makes the call. */
  readonly make: (terms: CallTerms) => Promise<Reply>;
}

/** The conditions of a call. */
export interface CallTerms {
  /** The maximum number of tokens of the reply; undefined without a budget. */
  readonly maxTokens?: number;
  /** Call it when the first part of the reply arrives. */
  readonly onBegin?: () => void;
}

/** A reply, and the reservation that is charged with its usage. */
export interface ReservedReply<Reply> {
  readonly reply: Reply;
  /** Undefined when nothing was reserved or noted. */
  readonly reservation: string | undefined;
  /** What was reserved; undefined when no budget applies. */
  readonly reserved?: StepFacts["reserved"];
  /** What a budget is charged because the provider reported no usage. */
  readonly worst?: UsedInTurn["worst"];
}

/**
 * Makes a call if all budgets that apply can cover its worst case, which stays reserved until the call ends. If it fits
 * only after other calls have been charged, waits for them. Without a budget it only makes the call. A call that is
 * interrupted is recorded, and charged: what the provider had reported, and the worst case of the rest.
 * @throws RunFailure `BUDGET_EXCEEDED`; BudgetQuestion when a person must approve it; any error of `make`
 */
export async function withinBudgets<Reply extends Pick<Used, "usage">>(
  engine: EngineServices,
  run: Run,
  call: PlannedCall<Reply>,
): Promise<ReservedReply<Reply>> {
  const { budgets } = engine;
  const id = newId();
  const mayApply = await budgets.mayApply(run.job.workspaceId, targetsOf(run));
  const reserved = mayApply ? await reserveCall(engine, run, { ...call, id }) : undefined;
  const note = reserved === undefined ? noteLater(engine, run, { ...call, id }) : ALREADY_KNOWN;
  let began = false;
  try {
    const maxTokens = reserved && maxTokensOf(engine, call);
    const reply = await call.make({ ...(maxTokens !== undefined && { maxTokens }), onBegin: () => (began = true) });
    const reservation = (await note.end()) ? id : undefined;
    if (reserved === undefined) return { reply, reservation };
    const { usd, tokens } = reserved;
    const isReported = reply.usage.promptTokens + reply.usage.completionTokens > 0;
    // Some endpoints report no usage: then the worst case is charged.
    return { reply, reservation, reserved: { usd, tokens }, ...(!isReported && { worst: { usd: usd ?? 0, tokens } }) };
  } catch (error) {
    const isKnown = await note.end();
    const isUnsent = error instanceof OwnershipLostError || (error instanceof ModelError && error.isRefusal);
    const reported = error instanceof ModelError ? error.usage : undefined;
    // Another execution may have recorded it already.
    const isLost = !isKnown && (run.signal.aborted || error instanceof OwnershipLostError);
    const recordId = isLost ? lostCallId(run, call.name, run.key.fence) : id;
    if (began || !isUnsent) await budgets.interrupt(interruptedUsage(engine, run, { ...call, id: recordId, reported }));
    else if (isKnown) await budgets.free(id);
    throw error;
  }
}

/** Reserves a call's worst case; undefined when no budget applies. */
async function reserveCall(engine: EngineServices, run: Run, call: IdentifiedCall): Promise<BudgetCall | undefined> {
  const planned = budgetCall(engine, run, call);
  const { turn, name, route } = call;
  const isReserved = await reserve(engine, run, { model: route.model, turn, name, call: planned });
  return isReserved ? planned : undefined;
}

interface Wanted {
  readonly model: string;
  readonly turn: number;
  readonly name: string;
  readonly call: BudgetCall;
}

/** Reserves a call's worst case, including waits and questions; false when no budget applies. */
async function reserve(engine: EngineServices, run: Run, { model, turn, name, call }: Wanted): Promise<boolean> {
  const asked: string[] = [];
  for (;;) {
    const { verdict, standing } = await reserveForRun(engine, run, { step: modelKey(run.turnKey, turn), model, call });
    switch (verdict) {
      case "free":
        return false;
      case "granted":
        return true;
      case "unpriced":
        throw unpricedFailure(standing, model);
      case "exceeded": {
        if (standing.on_breach === "stop") throw breachFailure(standing, call);
        // An answer is for the budget and the window that the question named, whatever else is exceeded by then.
        const window = `${standing.id}:${standing.key}`;
        const before = asked.filter((each) => each === window).length;
        asked.push(window);
        const id = `budget:${name}:${window}:${before}`;
        const open = breachQuestion(standing, call, { id, approvers: approversOf(run.job.agent.config) });
        const answer = run.answerTo(answerKey(open));
        if (answer === undefined) throw new BudgetQuestion(open);
        if (answer["approved"] !== true) throw rejectionFailure(standing, call);
        await engine.budgets.extend(standing, { call, answer: `${run.turnKey ?? ""}/${answerKey(open)}` });
      }
    }
  }
}
