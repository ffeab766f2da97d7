import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "#domain/access/role.ts";
import {
  isDelegatingWorkOver,
  endRemoteCall,
  nameRemoteTask,
  openRemoteCall,
} from "#db/queries/protocols/a2a/remote-calls.ts";
import { readRemoteAgent } from "#db/queries/protocols/a2a/remote-agents.ts";
import type { RemoteAgentRow } from "#db/queries/protocols/a2a/remote-agents.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { RemoteAgentError, remoteCard } from "#lib/a2a/remote-card.ts";
import type { RemoteCard } from "#lib/a2a/remote-card.ts";
import { createRemoteClient } from "#lib/a2a/remote-client.ts";
import type { RemoteClient, RemoteMessage } from "#lib/a2a/remote-client.ts";
import { createProgressCollector, isPaused } from "#lib/a2a/remote-progress.ts";
import type { RemoteProgress } from "#lib/a2a/remote-progress.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import type { Services } from "../../context.ts";
import { refreshCard, tokenOf } from "./remote-agents.ts";

/** The maximum age of a card in use; an older one is fetched again first. */
const CARD_TTL_MS = 3_600_000;
/** The interval between polls of a remote task: at first, and at most. */
const MIN_POLL_MS = 500;
const MAX_POLL_MS = 5_000;
/** The number of consecutive failed polls after which a remote task is given up. */
const MAX_FAILURES = 5;
/** A question that is still the same this long after its answer was sent is asked again. */
const STALE_QUESTION_MS = 10_000;

type Needed = Pick<Services, "db" | "secrets" | "fetch">;

/** A delegation: one call of the tool `a2a_delegate`. */
export interface Delegation {
  /** The same for every execution of a call. */
  readonly key: string;
  /** The task or team run that delegates. */
  readonly subjectId: string;
  readonly remoteAgentId: string;
  readonly message: string;
  /** The metadata of the message. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** A person's answer to the remote agent's question, with the question's number. */
  readonly answer?: { readonly text: string; readonly round: number } | undefined;
  /** The remote agent's timeout, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborted when the delegating work is cancelled, or is handed over to another process. */
  readonly signal: AbortSignal;
  /** Called with the remote agent's output so far, as it grows. */
  readonly onProgress: (progress: RemoteProgress) => Promise<void>;
}

/** The outcome of a delegation: the remote agent's reply, or its question. */
export type Delegated = { readonly result: string } | { readonly question: string; readonly askedBy: string };

/**
 * Delegates to a remote agent and waits for the result. After a restart, it continues with the existing remote task;
 * the message is not sent again. When the delegating work ends first, the remote task is cancelled.
 * @throws RemoteAgentError when the remote agent cannot be used, or failed; FetchFailedError; the signal's reason.
 */
export async function delegate(services: Needed, tenant: Tenant, delegation: Delegation): Promise<Delegated> {
  const agent = await enabledAgent(services, tenant, delegation.remoteAgentId);
  const card = await currentCard(services, tenant, agent);
  const client = createRemoteClient(services.fetch, card, tokenOf(services, tenant, agent));
  const { key, subjectId } = delegation;
  const known = await retryOutage(() =>
    openRemoteCall(services.db, tenant, { key, remoteAgentId: agent.id, subjectId }),
  );
  const limit = startTimeLimit(delegation.timeoutMs, delegation.signal);
  const taskId = known?.remote_task_id ?? undefined;
  const work = createWork(services, tenant, { delegation, client, taskId, signal: limit.signal });
  try {
    const contextId = known?.remote_context_id ?? undefined;
    const progress = await (work.taskId === undefined ? work.begin() : work.resume(contextId));
    return outcomeOf(progress, card.name);
  } catch (error) {
    const isOver = limit.isOver();
    await work.abandon();
    delegation.signal.throwIfAborted();
    if (isOver) throw tooSlow(delegation.timeoutMs);
    throw error;
  } finally {
    limit.clear();
    if (work.isOver) await retryOutage(() => endRemoteCall(services.db, tenant, key));
  }
}

async function enabledAgent({ db }: Needed, tenant: Tenant, id: string): Promise<RemoteAgentRow> {
  const agent = await retryOutage(() => readRemoteAgent(db, tenant, id));
  if (agent === undefined) throw new RemoteAgentError("There is no remote agent with this agent_id.");
  if (!agent.is_enabled) throw new RemoteAgentError("This remote agent is disabled.");
  return agent;
}

/** If the card cannot be fetched again, the old one is used. */
async function currentCard(services: Needed, tenant: Tenant, agent: RemoteAgentRow): Promise<RemoteCard> {
  const kept = remoteCard.parse(agent.card);
  if (agent.card_age_ms < CARD_TTL_MS) return kept;
  return (await retryOutage(() => refreshCard(services, tenant, agent))) ?? kept;
}

interface WorkParts {
  readonly delegation: Delegation;
  readonly client: RemoteClient;
  readonly taskId: string | undefined;
  readonly signal: AbortSignal;
}

/** One execution's access to a remote task. */
function createWork(services: Needed, tenant: Tenant, { delegation, client, taskId, signal }: WorkParts) {
  const { key, subjectId, message, metadata, answer } = delegation;
  const task = createRemoteTask(services, tenant, { delegation, taskId });

  async function send(sent: RemoteMessage): Promise<RemoteProgress> {
    try {
      for await (const result of client.send(sent, signal)) {
        task.add(result);
        // The agent may leave the stream open.
        if (task.isWaiting(await task.record())) break;
      }
    } catch (error) {
      // A broken stream does not mean that the task failed.
      if (task.id === undefined || !(error instanceof FetchFailedError)) throw error;
    }
    return task.isWaiting(task.progress) ? task.progress : poll();
  }

  async function poll(): Promise<RemoteProgress> {
    if (task.id === undefined)
      throw new RemoteAgentError("The remote agent's stream ended without a task or an answer.");
    let failures = 0;
    for (let pause = MIN_POLL_MS; ; pause = Math.min(pause * 1.5, MAX_POLL_MS)) {
      try {
        await fetchLatest();
        failures = 0;
      } catch (error) {
        if (!(error instanceof FetchFailedError) || ++failures === MAX_FAILURES) throw error;
      }
      const progress = await task.record();
      if (task.isWaiting(progress)) return progress;
      await sleep(pause, undefined, { signal });
    }
  }

  async function fetchLatest(): Promise<void> {
    const latest = task.id === undefined ? undefined : await client.getTask(task.id, signal);
    if (latest === undefined) throw new RemoteAgentError("The remote agent no longer knows the task.");
    task.add(latest);
  }

  return {
    get taskId() {
      return task.id;
    },
    get isOver() {
      return task.isOver;
    },
    begin: () => send({ messageId: key, text: message, metadata }),
    async resume(contextId: string | undefined): Promise<RemoteProgress> {
      await fetchLatest();
      const progress = await task.record();
      // An answer that an earlier execution sent is not sent again.
      if (answer === undefined || progress.state !== "input-required") {
        return task.isWaiting(progress) ? progress : poll();
      }
      task.noteAnswered();
      const messageId = `${key}:answer:${answer.round}`;
      return send({ messageId, text: answer.text, taskId: task.id, contextId: contextId ?? progress.contextId });
    },
    /** Cancels the remote task when no execution waits for it any more, but not when another process takes over. */
    async abandon(): Promise<void> {
      if (task.id === undefined || task.isOver) return;
      const isOver = () => retryOutage(() => isDelegatingWorkOver(services.db, subjectId));
      if (delegation.signal.aborted && !(await isOver())) return;
      await client.cancelTask(task.id).then(task.noteCancelled, () => undefined);
    },
  };
}

/** The state of a remote task, as its results arrive. */
function createRemoteTask(
  { db }: Needed,
  tenant: Tenant,
  { delegation: { key, onProgress }, taskId }: Pick<WorkParts, "delegation" | "taskId">,
) {
  const collector = createProgressCollector(taskId);
  let id = taskId;
  let isOver = false;
  /** The question that was answered, and when. */
  let answered: { readonly key: string; readonly at: number } | undefined;
  return {
    get id() {
      return id;
    },
    /** Whether it has ended: it accepts no more messages. */
    get isOver() {
      return isOver;
    },
    get progress() {
      return collector.progress;
    },
    add: collector.add,
    /** Stores the id of the task, and reports its progress. */
    async record(): Promise<RemoteProgress> {
      const { progress } = collector;
      if (progress.taskId !== undefined && progress.taskId !== id) {
        const named = { key, taskId: progress.taskId, contextId: progress.contextId };
        id = named.taskId;
        await retryOutage(() => nameRemoteTask(db, tenant, named));
      }
      isOver = isPaused(progress) && progress.state !== "input-required";
      await onProgress(progress);
      return progress;
    },
    /** Whether the agent waits for us. Right after an answer, agents may still show the question that it answers. */
    isWaiting(progress: RemoteProgress): boolean {
      if (!isPaused(progress)) return false;
      if (progress.state !== "input-required" || progress.statusKey !== answered?.key) return true;
      return performance.now() - answered.at > STALE_QUESTION_MS;
    },
    noteAnswered(): void {
      answered = { key: collector.progress.statusKey, at: performance.now() };
    },
    noteCancelled(): void {
      isOver = true;
    },
  };
}

function tooSlow(timeoutMs: number): RemoteAgentError {
  return new RemoteAgentError(`The remote agent took longer than ${timeoutMs / 1_000} s; its task was cancelled.`);
}

function outcomeOf({ state, text, statusText }: RemoteProgress, askedBy: string): Delegated {
  const said = statusText === "" ? text : statusText;
  switch (state) {
    case "completed":
      return { result: text === "" ? statusText : text };
    case "input-required":
      return { question: said === "" ? "The remote agent needs more input." : said, askedBy };
    case "auth-required":
      throw new RemoteAgentError(`The remote agent needs other credentials. ${said}`.trimEnd());
    default:
      throw new RemoteAgentError(`The remote agent's task was ${state}. ${said}`.trim());
  }
}
