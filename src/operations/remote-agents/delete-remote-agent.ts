import { deleteRemoteAgent as deleteRow } from "#db/queries/remote-agents/remote-agents.ts";
import { notFound } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Services } from "../context.ts";
import { cancelCallsOf } from "./abandoned-calls.ts";

/** Deletes a remote agent and cancels its unfinished tasks; delegations to it fail. @throws AppError `not_found`. */
export async function deleteRemoteAgent(
  services: Pick<Services, "db" | "secrets" | "fetch">,
  who: Principal,
  id: string,
): Promise<void> {
  await cancelCallsOf(services, who.workspaceId, id);
  const deleted = await services.db.inWorkspace(who, (tx) => deleteRow(tx, id));
  if (!deleted) throw notFound("Remote agent");
}
