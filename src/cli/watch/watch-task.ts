import { isTerminal } from "#domain/tasks/task.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { ExitCode } from "../errors/exit-codes.ts";
import type { Task } from "../service/records.ts";
import type { Session } from "../service/session.ts";
import { poll, readWithRetries } from "./poll.ts";
import { streamEvents, streamOfTask } from "./stream-events.ts";
import { summarize } from "./summarize.ts";
import { createTextView } from "./text-view.ts";
import type { WatchEvent } from "./watch-event.ts";
import { watchToEnd } from "./watch-to-end.ts";
import type { WatchFormat, Watching } from "./watch-to-end.ts";

/**
 * Shows what a task does until it ends, then a summary. Ctrl-C stops watching, not the task.
 * @throws CliError when there is nothing to watch, or the service rejects or stays away.
 */
export function watchTask(session: Session, task: Task, format: WatchFormat): Promise<ExitCode> {
  const { out, api } = session;
  return watchToEnd(out, {
    follow: (watching) => follow(session, task, watching),
    view: format === "json" ? (event) => out.json(event) : createTextView(out),
    async summarize(retries) {
      const ended = await readWithRetries(() => api.getTask(task.id), retries);
      return summarize(out, "task", ended);
    },
    stopped: [
      "Stopped watching; the task is still running.",
      `Watch it again: muster tasks watch ${task.id}`,
      `Cancel it:      muster tasks cancel ${task.id}`,
    ],
  });
}

function follow({ settings, client, api, out }: Session, task: Task, watching: Watching): AsyncIterable<WatchEvent> {
  const { id, assigned_agent_id: agentId, status } = task;
  if (status === "pending" || agentId === null) {
    throw new CliError(EXIT.failed, `Task ${id} is ${status} and has no run to watch; give it an agent first.`);
  }
  if (settings.aguiKey !== undefined) return streamEvents(client, { ...streamOfTask(agentId, id), ...watching });
  out.note("No AG-UI key (MUSTER_AGUI_KEY or --agui-key): showing states and the result, not the text as it comes.");
  return poll({ read: () => api.getTask(id), describe, ...watching });
}

function describe(task: Task): WatchEvent[] {
  const { id: threadId, status, interaction } = task;
  return [
    { type: "TASK_STATUS", threadId, status },
    ...(interaction === null ? [] : [{ type: "INTERACTION_REQUEST", threadId, ...interaction }]),
    ...(isTerminal(status) ? [finalEvent(task)] : []),
  ];
}

function finalEvent({ id, status, result, error }: Task): WatchEvent {
  if (status === "completed") return { type: "RUN_FINISHED", threadId: id, result };
  const message = error ?? (status === "cancelled" ? "The task was cancelled." : "The task failed.");
  return { type: "RUN_ERROR", threadId: id, message };
}
