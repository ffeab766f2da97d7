import type { Tenant } from "#domain/access/role.ts";
import { TRACEPARENT } from "#domain/traces/trace-context.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { endRemoteCall, openRemoteCall, recordRemoteQuestion } from "#db/queries/remote-agents/remote-calls.ts";
import { readRemoteAgent } from "#db/queries/remote-agents/remote-agents.ts";
import type { RemoteAgentRow } from "#db/queries/remote-agents/remote-agents.ts";
import { RemoteAgentError, remoteCard } from "#protocols/a2a/remote/remote-card.ts";
import type { RemoteCard } from "#protocols/a2a/remote/remote-card.ts";
import { createRemoteClient } from "#protocols/a2a/remote/remote-client.ts";
import type { RemoteFile } from "#protocols/a2a/remote/remote-parts.ts";
import type { RemoteProgress } from "#protocols/a2a/remote/remote-progress.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import type { Services } from "../context.ts";
import { refreshCard, tokenOf } from "./remote-agents.ts";
import { questionOf, sayingOf } from "./remote-question.ts";
import { createRemoteWork } from "./remote-work.ts";
import type { Delegation } from "./remote-work.ts";

/** The maximum age of a card in use; an older one is fetched again first. */
const CARD_TTL_MS = 3_600_000;

type Needed = Pick<Services, "db" | "secrets" | "fetch">;

/** The outcome of a delegation: the remote agent's reply, or its question. */
export type Delegated =
  | { readonly result: string; readonly files: readonly RemoteFile[] }
  | { readonly question: string; readonly askedBy: string };

/**
 * Delegates to a remote agent and waits for the result. After a restart, it continues with the existing remote task;
 * the message is not sent again. When the delegating work ends first, the remote task is cancelled.
 * @throws RemoteAgentError when the remote agent cannot be used, or failed; FetchFailedError; the signal's reason.
 */
export async function delegate(services: Needed, tenant: Tenant, delegation: Delegation): Promise<Delegated> {
  const agent = await enabledAgent(services, tenant, delegation.remoteAgentId);
  const card = await currentCard(services, tenant, agent);
  const { key, subjectId, traceparent } = delegation;
  const fetch = traced(services.fetch, traceparent);
  const client = createRemoteClient(fetch, card, tokenOf(services, tenant, agent));
  const known = await openRemoteCall(services.db.inWorkspace(tenant), { key, remoteAgentId: agent.id, subjectId });
  const limit = startTimeLimit(delegation.timeoutMs, delegation.signal);
  const work = createRemoteWork(services, tenant, { delegation, client, known, signal: limit.signal });
  try {
    const progress = await (work.taskId === undefined ? work.begin() : work.resume());
    if (progress.state === "input-required") await recordQuestion(services, tenant, { delegation, progress });
    return outcomeOf(progress, card.name);
  } catch (error) {
    const isOver = limit.isOver();
    await work.abandon();
    delegation.signal.throwIfAborted();
    if (isOver) throw tooSlow(delegation.timeoutMs);
    throw error;
  } finally {
    limit.clear();
    if (work.isOver) await endRemoteCall(services.db.inWorkspace(tenant), key);
  }
}

function traced(fetch: SafeFetch, traceparent: string | undefined): SafeFetch {
  if (traceparent === undefined) return fetch;
  return (url, init) => fetch(url, { ...init, headers: { ...init?.headers, [TRACEPARENT]: traceparent } });
}

/** A person's answer is sent only while the remote agent asks this question. */
async function recordQuestion(
  { db }: Needed,
  tenant: Tenant,
  { delegation: { key, answer }, progress }: { readonly delegation: Delegation; readonly progress: RemoteProgress },
): Promise<void> {
  const asked = { key, round: (answer?.round ?? 0) + 1, question: JSON.stringify(questionOf(progress)) };
  await recordRemoteQuestion(db.inWorkspace(tenant), asked);
}

async function enabledAgent({ db }: Needed, tenant: Tenant, id: string): Promise<RemoteAgentRow> {
  const agent = await readRemoteAgent(db.inWorkspace(tenant), id);
  if (agent === undefined) throw new RemoteAgentError("There is no remote agent with this agent_id.");
  if (!agent.is_enabled) throw new RemoteAgentError("This remote agent is disabled.");
  return agent;
}

/** If the card cannot be fetched again, the old one is used. */
async function currentCard(services: Needed, tenant: Tenant, agent: RemoteAgentRow): Promise<RemoteCard> {
  const kept = remoteCard.parse(agent.card);
  if (agent.card_age_ms < CARD_TTL_MS) return kept;
  return (await refreshCard(services, tenant, agent)) ?? kept;
}

function tooSlow(timeoutMs: number): RemoteAgentError {
  return new RemoteAgentError(`The remote agent took longer than ${timeoutMs / 1_000} s; its task was cancelled.`);
}

function outcomeOf(progress: RemoteProgress, askedBy: string): Delegated {
  const { state, text, statusText, files } = progress;
  const said = sayingOf(progress);
  switch (state) {
    case "completed":
      return { result: text === "" ? statusText : text, files };
    case "input-required":
      return { question: said === "" ? "The remote agent needs more input." : said, askedBy };
    case "auth-required":
      throw new RemoteAgentError(`The remote agent needs other credentials. ${said}`.trimEnd());
    default:
      throw new RemoteAgentError(`The remote agent's task was ${state}. ${said}`.trim());
  }
}
