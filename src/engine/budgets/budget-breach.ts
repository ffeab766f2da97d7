import type { BudgetStanding } from "#db/queries/budgets/budget-reservations.ts";
import type { Approvers } from "#domain/tasks/approvers.ts";
import type { Question } from "#domain/tasks/interaction.ts";
import { dollars } from "#lib/text/dollars.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import { RunFailure } from "../run/run-failure.ts";

/** How long a person has to approve exceeding a budget, in milliseconds. */
const TIMEOUT_MS = 86_400_000;

const OWNER = {
  workspace: "the workspace",
  agent: "the agent",
  team: "the team",
  run: "the run",
  page: "the page",
} as const;
const PERIOD = { run: "", day: "daily ", month: "monthly ", total: "total " } as const;

/** The worst case of a call: tokens, and US dollars if the model has a price. */
export interface WorstCase {
  readonly usd: number | null;
  readonly tokens: number;
}

/** A person must approve a call that would exceed a budget. Thrown by the step that would make the call. */
export class BudgetQuestion extends Error {
  override readonly name = "BudgetQuestion";
  readonly open: OpenQuestion;

  constructor(open: OpenQuestion) {
    super("A call waits for approval to exceed a budget.");
    this.open = open;
  }
}

/** Explains that a call exceeds a budget, and where to change that budget. */
export function breachFailure(standing: BudgetStanding, worst: WorstCase): RunFailure {
  return failure(standing, describeBreach(standing, worst));
}

/** The same, after a person rejected the call. */
export function rejectionFailure(standing: BudgetStanding, worst: WorstCase): RunFailure {
  return failure(standing, `${describeBreach(standing, worst)} A person refused to let it continue.`);
}

/** Explains that a call was not made because the model has no known price. */
export function unpricedFailure(standing: BudgetStanding, model: string): RunFailure {
  const what = `The budget of ${OWNER[standing.scope]} is in dollars, and the model ${model} has no price.`;
  return failure(standing, `${what} Give it one with the setting MODEL_PRICES, or cap tokens instead.`);
}

/** The question whether a call may exceed a budget. @param id its id in the run, like a tool call's id */
export function breachQuestion(
  standing: BudgetStanding,
  worst: WorstCase,
  { id, approvers }: { readonly id: string; readonly approvers: Approvers },
): OpenQuestion {
  const prompt = {
    type: "approval",
    title: `May the run exceed the budget of ${OWNER[standing.scope]}?`,
    description: `${describeBreach(standing, worst)} Approving adds ${extension(standing, worst)} for ${windowName(standing)}.`,
  } as const;
  const question: Question = { kind: "prompt", prompt, timeoutMs: TIMEOUT_MS, approvers };
  return { question, toolCallId: id, purpose: "approval" };
}

/** What an approval adds now: the cap once more, or what the call needs if that is more. @see extendBudget */
function extension(standing: BudgetStanding, { usd, tokens }: WorstCase): string {
  const { max_usd, max_tokens, extra_usd, extra_tokens, used_usd, used_tokens } = standing;
  const amounts = [
    max_usd === null ? [] : [dollars(Math.max(max_usd, used_usd + (usd ?? 0) - max_usd - extra_usd))],
    max_tokens === null ? [] : [count(Math.max(max_tokens, used_tokens + tokens - max_tokens - extra_tokens))],
  ];
  return amounts.flat().join(" and ");
}

function failure({ id }: BudgetStanding, what: string): RunFailure {
  const where = `Change it with \`muster budgets set\` or PATCH /console/api/budgets/${id}.`;
  return new RunFailure("BUDGET_EXCEEDED", `budget_exceeded: ${what} ${where}`);
}

/**
 * Explains why a call does not fit: `The agent's daily budget of $5 can't cover the next model call ($4.97 used, up to
 * $0.12 needed).`
 */
export function describeBreach(standing: BudgetStanding, { usd, tokens }: WorstCase): string {
  const { scope, period, max_usd, max_tokens } = standing;
  const caps = [
    max_usd === null || usd === null
      ? []
      : [part(dollars, [max_usd + standing.extra_usd, standing.used_usd, standing.reserved_usd, usd])],
    max_tokens === null
      ? []
      : [part(count, [max_tokens + standing.extra_tokens, standing.used_tokens, standing.reserved_tokens, tokens])],
  ].flat();
  const [owner, adjective] = [OWNER[scope], PERIOD[period]];
  return `${owner.charAt(0).toUpperCase()}${owner.slice(1)}'s ${adjective}budget of ${caps.join("; its cap of ")}.`;
}

function part(
  show: (amount: number) => string,
  [cap = 0, used = 0, reserved = 0, next = 0]: readonly number[],
): string {
  const held = reserved === 0 ? "" : `, ${show(reserved)} reserved by calls in progress`;
  return `${show(cap)} can't cover the next model call (${show(used)} used${held}, up to ${show(next)} needed)`;
}

function count(tokens: number): string {
  return `${tokens.toLocaleString("en-US")} ${tokens === 1 ? "token" : "tokens"}`;
}

function windowName({ period, key }: BudgetStanding): string {
  return { run: "this run", day: `${key} (UTC)`, month: `${key} (UTC)`, total: "good" }[period];
}
