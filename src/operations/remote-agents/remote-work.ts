import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "#domain/access/role.ts";
import { claimRemoteAnswer, isDelegatingWorkOver } from "#db/queries/remote-agents/remote-calls.ts";
import type { RemoteCall } from "#db/queries/remote-agents/remote-calls.ts";
import { RemoteAgentError } from "#protocols/a2a/remote/remote-card.ts";
import type { RemoteClient, RemoteMessage } from "#protocols/a2a/remote/remote-client.ts";
import type { RemoteProgress } from "#protocols/a2a/remote/remote-progress.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import type { Services } from "../context.ts";
import { questionOf, storedQuestion } from "./remote-question.ts";
import { createRemoteTask } from "./remote-task.ts";

/** The interval between polls of a remote task: at first, and at most. */
const MIN_POLL_MS = 500;
const MAX_POLL_MS = 5_000;
/** The number of consecutive failed polls after which a remote task is given up. */
const MAX_FAILURES = 5;

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
  /** The position of the call in the run's trace. */
  readonly traceparent: string | undefined;
  /** A person's answer to the remote agent's question, with the question's number. */
  readonly answer?: { readonly text: string; readonly round: number } | undefined;
  /** The remote agent's timeout, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborted when the delegating work is cancelled, or is handed over to another process. */
  readonly signal: AbortSignal;
  /** Called with the remote agent's output so far, as it grows. */
  readonly onProgress: (progress: RemoteProgress) => Promise<void>;
}

interface WorkParts {
  readonly delegation: Delegation;
  readonly client: RemoteClient;
  /** The call as an earlier execution stored it. */
  readonly known: RemoteCall | undefined;
  readonly signal: AbortSignal;
}

/** One execution's access to a remote task. */
export function createRemoteWork(
  { db }: Pick<Services, "db">,
  tenant: Tenant,
  { delegation, client, known, signal }: WorkParts,
) {
  const { key, subjectId, message, metadata, answer, onProgress } = delegation;
  const task = createRemoteTask({ db }, tenant, { key, taskId: known?.remote_task_id ?? undefined, onProgress });

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
    return awaitPause();
  }

  async function awaitPause(): Promise<RemoteProgress> {
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

  async function fetchLatest(): Promise<RemoteProgress> {
    const latest = task.id === undefined ? undefined : await client.getTask(task.id, signal);
    if (latest === undefined) throw new RemoteAgentError("The remote agent no longer knows the task.");
    task.add(latest);
    return task.progress;
  }

  /** Whether the agent waits for the very answer that the person gave: its question is the one that was shown. */
  async function isOpenQuestion(round: number): Promise<boolean> {
    if (known?.asked_round !== round || known.asked_question === null) return false;
    const asked = storedQuestion(known.asked_question);
    const open = questionOf(task.progress);
    if (asked.content !== open.content) return false;
    if (asked.messageId === open.messageId) return true;
    // Some agents give the same message another id each time it is read.
    const again = questionOf(await fetchLatest());
    return again.content === asked.content && again.messageId !== open.messageId;
  }

  return {
    get taskId() {
      return task.id;
    },
    get isOver() {
      return task.isOver;
    },
    begin: () => send({ messageId: key, text: message, metadata }),
    /** Continues with the existing task: sends the person's answer if its question is still open, or else waits. */
    async resume(): Promise<RemoteProgress> {
      await fetchLatest();
      const { state } = await task.record();
      if (answer === undefined || state !== "input-required") return awaitPause();
      const { round, text } = answer;
      // The agent asks something else by now: the person is asked again.
      if (!(await isOpenQuestion(round))) return awaitPause();
      task.noteAnswered();
      // What an execution was about to send is never sent again: the agent may have received it.
      if (!(await claimRemoteAnswer(db.inWorkspace(tenant), { key, round }))) return poll();
      const contextId = known?.remote_context_id ?? task.progress.contextId;
      return send({ messageId: `${key}:answer:${round}`, text, taskId: task.id, contextId });
    },
    /** Cancels the remote task when no execution waits for it any more, but not when another process takes over. */
    async abandon(): Promise<void> {
      if (task.id === undefined || task.isOver) return;
      const isOver = () => isDelegatingWorkOver(db, subjectId);
      if (delegation.signal.aborted && !(await isOver())) return;
      await client.cancelTask(task.id).then(task.noteCancelled, () => undefined);
    },
  };
}
