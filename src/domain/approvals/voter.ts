import type { Principal } from "../access/principal.ts";
import type { ApprovalOrder } from "./order.ts";

/** Who answers, and whether it came by a link. */
type Answerer = Pick<Principal, "userId" | "keyId" | "isApp"> & { readonly isByLink: boolean };

/** Why credentials cannot vote: they prove none of those whom a rule asks. Undefined when they do prove a person. */
export function provesNobody(order: ApprovalOrder, { keyId, isApp, isByLink }: Answerer): string | undefined {
  if (isByLink) return "A rule asks certain people: sign in to answer; an answer link cannot.";
  if (keyId === null || isApp === true || order.keys) return undefined;
  return "A rule asks certain people: one of them answers, signed in to Muster or by an app that they connected. Keys count with keys: true in the rule.";
}

/** Why a person who is not among the voters cannot vote. */
export function notAsked({ excluded }: ApprovalOrder, { userId }: Pick<Principal, "userId">): string {
  return excluded.includes(userId)
    ? "You started this run, and so do not count as its approver; starter: true in the rule would allow it."
    : "The rule does not ask you. The question's may_answer names those who may answer it.";
}
