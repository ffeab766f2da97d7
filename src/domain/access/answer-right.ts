import { AppError } from "../errors.ts";
import type { Principal } from "./principal.ts";
import { includesRole } from "./role.ts";

/**
 * Checks that the caller may answer questions: members, and viewers with the right to.
 * @throws AppError `forbidden` naming the missing right.
 */
export function requireAnswerRight({ role, canAnswer }: Pick<Principal, "role" | "canAnswer">): void {
  if (includesRole(role, "member") || canAnswer === true) return;
  throw new AppError("forbidden", `This needs the role member, or the right to answer; your role here is ${role}.`);
}
