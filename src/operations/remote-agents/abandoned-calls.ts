import { serviceIn } from "#domain/access/role.ts";
import {
  claimEndOfRemoteCall,
  deleteOldRemoteCalls,
  listAbandonedCalls,
  listOpenCalls,
} from "#db/queries/remote-agents/remote-calls.ts";
import type { OpenCall } from "#db/queries/remote-agents/remote-calls.ts";
import { readRemoteAgent } from "#db/queries/remote-agents/remote-agents.ts";
import { remoteCard } from "#protocols/a2a/remote/remote-card.ts";
import { createRemoteClient } from "#protocols/a2a/remote/remote-client.ts";
import type { Services } from "../context.ts";
import { tokenOf } from "./remote-agents.ts";

const BATCH = 100;

type Needed = Pick<Services, "db" | "secrets" | "fetch">;

/**
 * Cancels the remote tasks of work that ended while no execution could cancel them: while it waited for an answer, or
 * after a crash. Each is tried once, by one process.
 */
export async function cancelAbandonedCalls(services: Needed): Promise<void> {
  const calls = await listAbandonedCalls(services.db, BATCH);
  await Promise.all(calls.map((call) => cancelRemote(services, call)));
}

/** The same, for the janitor. Also deletes the records of delegations that are older than `before`. */
export async function sweepRemoteCalls(services: Needed, before: Date): Promise<void> {
  await cancelAbandonedCalls(services);
  for (let deleted = BATCH; deleted === BATCH;) deleted = await deleteOldRemoteCalls(services.db, before, BATCH);
}

/** Cancels the unfinished tasks of a remote agent that is about to be deleted: they could not be cancelled later. */
export async function cancelCallsOf(services: Needed, workspaceId: string, remoteAgentId: string): Promise<void> {
  const calls = await listOpenCalls(services.db.inWorkspace(serviceIn(workspaceId)), remoteAgentId, BATCH);
  await Promise.all(calls.map((call) => cancelRemote(services, call)));
}

async function cancelRemote(services: Needed, call: OpenCall): Promise<void> {
  const tenant = serviceIn(call.workspace_id);
  if (!(await claimEndOfRemoteCall(services.db.inWorkspace(tenant), call.key))) return;
  const agent = await readRemoteAgent(services.db.inWorkspace(tenant), call.remote_agent_id);
  if (agent === undefined) return;
  const client = createRemoteClient(services.fetch, remoteCard.parse(agent.card), tokenOf(services, tenant, agent));
  // The remote agent may be unable to cancel.
  await client.cancelTask(call.remote_task_id).catch(() => undefined);
}
