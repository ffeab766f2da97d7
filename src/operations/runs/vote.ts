import type { ApprovalOrder } from "#domain/approvals/order.ts";
import { notAsked, provesNobody } from "#domain/approvals/voter.ts";
import type { Answer } from "#domain/tasks/answer.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { StreamEvent } from "#domain/streams/stream-event.ts";
import type { Transaction } from "#db/database.ts";
import { castVote, noteApprovedTool, readDecision, readVotes } from "#db/queries/runs/approvals.ts";
import type { CountedVote, VoteResult } from "#db/queries/runs/approvals.ts";
import { isUuid } from "#lib/ids.ts";
import type { LockedRun } from "#db/queries/runs/lock-runs.ts";

/** A vote on a question that a rule asks. */
export interface GivenVote {
  readonly run: LockedRun;
  readonly interactionId: string;
  readonly order: ApprovalOrder;
  readonly approved: boolean;
  /** Whether it came by a link, which proves no person. */
  readonly isByLink: boolean;
  /** The channel. */
  readonly via: string;
}

/** What became of a question by a vote: the answer once it is decided, and the vote as streams show it. */
export interface Voted {
  readonly answer: Answer | undefined;
  readonly event: Extract<StreamEvent, { name: "approval_vote" }>["value"];
}

/**
 * Counts a person's vote on the question of a run that the caller has locked. Enough approvals approve, enough denials
 * deny; so does the last vote when nobody is left who could approve.
 * @throws AppError `forbidden` when the person is not asked; `conflict` for a second vote
 */
export async function vote(tx: Transaction, who: Principal, given: GivenVote): Promise<Voted> {
  const { run, interactionId, order, approved, via, isByLink } = given;
  const reason = provesNobody(order, { ...who, isByLink });
  if (reason !== undefined) throw new AppError("forbidden", reason);
  const result = await castVote(tx, run.id, { userId: who.userId, approved, via });
  if (!result.mayVote) throw new AppError("forbidden", notAsked(order, who));
  const votes = await readVotes(tx, interactionId);
  if (!result.isNew) throw votedBefore(votes, who);
  const isApproved = decide(order, result);
  if (isApproved === true && order.firstUse !== undefined) await noteApprovedTool(tx, order.firstUse);
  const { approvals, denials } = result;
  const { name = "" } = votes.find(({ by }) => by.id === who.userId)?.by ?? {};
  return {
    answer: isApproved === undefined ? undefined : { approved: isApproved, votes },
    event: { interactionId, by: name, approved, approvals, denials, need: order.need },
  };
}

/** Whether the votes approve or deny; undefined while neither is decided. */
function decide({ need, denials: most }: ApprovalOrder, { approvals, denials, left }: VoteResult): boolean | undefined {
  if (approvals >= need) return true;
  return denials >= most || left === 0 ? false : undefined;
}

/** Says who decided a question before: to those who vote too late. @throws AppError `conflict`, if votes decided it */
export async function rejectLateVote(tx: Transaction, interactionId: string): Promise<void> {
  const decision = isUuid(interactionId) ? await readDecision(tx, interactionId) : undefined;
  if (decision === undefined) return;
  const { approved, votes } = decision;
  const deciding = votes.filter((vote) => vote.approved === approved);
  const at = deciding.at(-1)?.at;
  const did = approved ? "approved" : "denied";
  const by =
    at === undefined ? `it is ${did}` : `${deciding.map((vote) => vote.by.name).join(", ")} ${did} it first, at ${at}`;
  throw new AppError("conflict", `It is decided: ${by}.`);
}

function votedBefore(votes: readonly CountedVote[], { userId }: Principal): AppError {
  const own = votes.find(({ by }) => by.id === userId);
  const did = own?.approved === true ? "approved" : "denied";
  return new AppError(
    "conflict",
    `You ${did} it already${own === undefined ? "" : `, at ${own.at}`}; each person has one vote.`,
  );
}
