import { z } from "zod";
import { AppError } from "../errors.ts";

/** Who may approve what an agent must not do alone. */
export const approvers = z
  .enum(["people", "members", "caller"])
  .describe(
    "Who approves protected tools and overrides of budgets: `people`, signed in or by an answer link; `members`, signed in only; `caller`, also a key, such as the one that started the task.",
  );

/** See {@link approvers}. */
export type Approvers = z.output<typeof approvers>;

/** How an answer is given. */
export interface Approval {
  /** The key of the request; null for a person. */
  readonly keyId: string | null;
  readonly isByLink: boolean;
}

/** Checks that an answer comes from one of the approvers; undefined for a question that anyone may answer. @throws AppError `forbidden` */
export function requireApprover(allowed: Approvers | undefined, approval: Approval): void {
  const reason = whyNoApprover(allowed, approval);
  if (reason !== undefined) throw new AppError("forbidden", reason);
}

/** Why an answer does not come from one of the approvers; undefined if it does. */
export function whyNoApprover(allowed: Approvers | undefined, { keyId, isByLink }: Approval): string | undefined {
  if (allowed === undefined || allowed === "caller") return undefined;
  if (keyId !== null) {
    return "A person gives this approval, in the console or by an answer link that a person made; a key cannot. The agent's config.approvers says who may.";
  }
  return allowed === "members" && isByLink
    ? "A signed-in member gives this approval; an answer link cannot."
    : undefined;
}
