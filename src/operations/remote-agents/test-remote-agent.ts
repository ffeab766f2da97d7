import { setTimeout as sleep } from "node:timers/promises";
import { AppError, orNotFound } from "#domain/errors.ts";
import { readRemoteAgent } from "#db/queries/remote-agents/remote-agents.ts";
import { RemoteAgentError, remoteCard } from "#protocols/a2a/remote/remote-card.ts";
import { createRemoteClient } from "#protocols/a2a/remote/remote-client.ts";
import type { RemoteClient } from "#protocols/a2a/remote/remote-client.ts";
import { createProgressCollector, isPaused } from "#protocols/a2a/remote/remote-progress.ts";
import type { ProgressCollector } from "#protocols/a2a/remote/remote-progress.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import { newId } from "#lib/ids.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import { tokenOf } from "./remote-agents.ts";
import type { Workspace } from "../workspace.ts";

const TIMEOUT_MS = 30_000;
const POLL_MS = 500;

/** The outcome of a test message: the remote agent's reply or question, or the error. */
export interface RemoteTestOutcome {
  readonly durationMs: number;
  readonly output: string | null;
  readonly error: string | null;
}

/**
 * Sends a remote agent one message, enabled or not, and waits up to 30 seconds for the outcome. A task that is
 * unfinished by then, or when the caller disconnects, is cancelled.
 * @throws AppError `not_found`.
 */
export async function testRemoteAgent(
  workspace: Workspace,
  { id, message, signal: caller }: { readonly id: string; readonly message: string; readonly signal: AbortSignal },
): Promise<RemoteTestOutcome> {
  const agent = orNotFound("Remote agent")(await readRemoteAgent(workspace, id));
  const card = remoteCard.safeParse(agent.card);
  if (!card.success) return { durationMs: 0, output: null, error: "The agent's card is not usable. Fetch it again." };
  const client = createRemoteClient(workspace.fetch, card.data, tokenOf(workspace, workspace.who, agent));
  const limit = startTimeLimit(TIMEOUT_MS, caller);
  const collector = createProgressCollector();
  const begun = performance.now();
  const outcome = (output: string | null, error: string | null) => ({
    durationMs: Math.round(performance.now() - begun),
    output,
    error,
  });
  try {
    await converse(client, collector, { message, signal: limit.signal });
    const { state, text, statusText } = collector.progress;
    const said = text === "" ? statusText : text;
    if (state === "completed" || state === "input-required") return outcome(said, null);
    return outcome(null, `The remote agent's task was ${state}. ${said}`.trim());
  } catch (error) {
    const isOver = limit.isOver();
    await cancelOpen(client, collector);
    if (isOver) return outcome(null, `The remote agent did not answer within ${TIMEOUT_MS / 1_000} s.`);
    if (caller.aborted) throw new AppError("bad_request", "The request was cancelled.", { cause: error });
    if (error instanceof RemoteAgentError || error instanceof FetchFailedError) return outcome(null, error.message);
    throw error;
  } finally {
    limit.clear();
  }
}

async function converse(
  client: RemoteClient,
  collector: ProgressCollector,
  { message, signal }: { readonly message: string; readonly signal: AbortSignal },
): Promise<void> {
  for await (const result of client.send({ messageId: newId(), text: message }, signal)) {
    collector.add(result);
    // The agent may leave the stream open.
    if (isPaused(collector.progress)) return;
  }
  while (!isPaused(collector.progress)) {
    const { taskId } = collector.progress;
    if (taskId === undefined) throw new RemoteAgentError("The remote agent returned neither a task nor an answer.");
    await sleep(POLL_MS, undefined, { signal });
    const task = await client.getTask(taskId, signal);
    if (task === undefined) throw new RemoteAgentError("The remote agent no longer knows the task.");
    collector.add(task);
  }
}

async function cancelOpen(client: RemoteClient, { progress }: ProgressCollector): Promise<void> {
  if (progress.taskId === undefined || isPaused(progress)) return;
  // The remote agent may be unable to cancel.
  await client.cancelTask(progress.taskId).catch(() => undefined);
}
