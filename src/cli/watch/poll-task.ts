import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal } from "#domain/task.ts";
import type { Api } from "../api.ts";
import type { Task } from "../records.ts";
import type { Patience } from "./patience.ts";
import type { WatchEvent } from "./watch-event.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
const PAUSE_GROWTH = 1.5;

/** Which task to look at. */
export interface PollOptions {
  readonly taskId: string;
  readonly signal: AbortSignal;
  readonly patience: Patience;
}

/**
 * Follows a task without an AG-UI key: looks at it from time to time and gives a `TASK_STATUS` for
 * each state it is found in, with the question if it waits for one, then the event with which its stream ends.
 * @throws CliError when the service refuses, or stays away for too long; the signal's reason.
 */
export async function* pollTask(api: Api, { taskId, signal, patience }: PollOptions): AsyncGenerator<WatchEvent> {
  let seen: string | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * PAUSE_GROWTH, LONGEST_PAUSE_MS)) {
    const task = await readPatiently(api, taskId, patience);
    const state = JSON.stringify([task.status, task.interaction]);
    if (state !== seen) {
      yield { type: "TASK_STATUS", threadId: taskId, status: task.status };
      if (task.interaction !== null) yield { type: "INTERACTION_REQUEST", threadId: taskId, ...task.interaction };
      pause = FIRST_PAUSE_MS;
    }
    seen = state;
    if (isTerminal(task.status)) {
      yield finalEvent(task);
      return;
    }
    await sleep(pause, undefined, { signal });
  }
}

/** Reads a task, through failures that may pass. */
export async function readPatiently(api: Api, taskId: string, patience: Patience): Promise<Task> {
  for (;;) {
    try {
      const task = await api.getTask(taskId);
      patience.regain();
      return task;
    } catch (error) {
      await patience.bear(error);
    }
  }
}

function finalEvent({ id, status, result, error }: Task): WatchEvent {
  if (status === "completed") return { type: "RUN_FINISHED", threadId: id, result };
  const message = error ?? (status === "cancelled" ? "The task was cancelled." : "The task failed.");
  return { type: "RUN_ERROR", threadId: id, message };
}
