import { deleteRemoteAgent as deleteRow } from "#db/queries/remote-agents/remote-agents.ts";
import { notFound } from "#domain/errors.ts";
import { cancelCallsOf } from "./abandoned-calls.ts";
import type { Workspace } from "../workspace.ts";

/** Deletes a remote agent and cancels its unfinished tasks; delegations to it fail. @throws AppError `not_found`. */
export async function deleteRemoteAgent(workspace: Workspace, id: string): Promise<void> {
  await cancelCallsOf(workspace, workspace.who.workspaceId, id);
  const deleted = await workspace.transaction((tx) => deleteRow(tx, id));
  if (!deleted) throw notFound("Remote agent");
}
