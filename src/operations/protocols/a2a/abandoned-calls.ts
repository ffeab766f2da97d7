import { serviceIn } from "#domain/access/role.ts";
import { deleteOldRemoteCalls, endRemoteCall, listAbandonedCalls } from "#db/queries/protocols/a2a/remote-calls.ts";
import type { AbandonedCall } from "#db/queries/protocols/a2a/remote-calls.ts";
import { readRemoteAgent } from "#db/queries/protocols/a2a/remote-agents.ts";
import { remoteCard } from "#lib/a2a/remote-card.ts";
import { createRemoteClient } from "#lib/a2a/remote-client.ts";
import type { Services } from "../../context.ts";
import { tokenOf } from "./remote-agents.ts";

const BATCH = 100;

type Needed = Pick<Services, "db" | "secrets" | "fetch">;

/**
 * Cancels the remote tasks of work that ended while no process could cancel them, for example after a crash. Each is
 * tried once. Deletes the records of delegations that are older than `before`.
 */
export async function sweepRemoteCalls(services: Needed, before: Date): Promise<void> {
  const calls = await listAbandonedCalls(services.db, BATCH);
  await Promise.all(calls.map((call) => cancelRemote(services, call)));
  for (let deleted = BATCH; deleted === BATCH;) deleted = await deleteOldRemoteCalls(services.db, before, BATCH);
}

async function cancelRemote(services: Needed, call: AbandonedCall): Promise<void> {
  const tenant = serviceIn(call.workspace_id);
  await endRemoteCall(services.db, tenant, call.key);
  const agent = await readRemoteAgent(services.db, tenant, call.remote_agent_id);
  if (agent === undefined) return;
  const client = createRemoteClient(services.fetch, remoteCard.parse(agent.card), tokenOf(services, tenant, agent));
  // The remote agent may be unable to cancel.
  await client.cancelTask(call.remote_task_id).catch(() => undefined);
}
