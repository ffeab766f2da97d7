import type { RouteCreate } from "#domain/destinations/output-route.ts";
import { invalid } from "#domain/invalid.ts";
import type { Transaction } from "#db/database.ts";
import type { RouteMember } from "#db/queries/destinations/output-routes.ts";
import { findNamedMembers } from "#db/queries/runs/approvals.ts";

/**
 * The members in a channel, by id. Each is there once, and so is each id at the vendor: a press has one person.
 * @throws AppError `bad_request` with the path of who is no member, or is there twice
 */
export async function nameMembers(
  tx: Transaction,
  workspaceId: string,
  given: RouteCreate["members"],
): Promise<readonly RouteMember[]> {
  if (given.length === 0) return [];
  const names = given.map(({ member }) => member);
  const found = await findNamedMembers(tx, workspaceId, [...new Set(names)]);
  const idOf = new Map(found.map(({ name, id }) => [name, id]));
  const members = given.map(({ member, user_id }) => ({ member: idOf.get(member) ?? "", user_id }));
  const issues = members.flatMap(({ member, user_id: userId }, index) => {
    const before = members.slice(0, index);
    const fault = (path: string, message: string) => [{ path: `members.${index}.${path}`, message }];
    if (member === "") return fault("member", `no member of the workspace who may answer is "${names[index]}"`);
    if (before.some((one) => one.member === member)) return fault("member", "is in the list twice");
    const isTaken = userId !== null && before.some((one) => one.user_id === userId);
    return isTaken ? fault("user_id", "is another member's") : [];
  });
  if (issues.length > 0) throw invalid("body", issues);
  return members;
}
