import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { ExitCode } from "../errors/exit-codes.ts";
import type { Task } from "../service/records.ts";
import type { Session } from "../service/session.ts";
import { openAnswerDesk } from "./answer-in-place.ts";
import { readWithRetries } from "./retry-timer.ts";
import { streamEvents, streamOfTask } from "./stream-events.ts";
import type { StreamSource } from "./stream-events.ts";
import { summarize } from "./summarize.ts";
import { createTextView } from "./text-view.ts";
import { jsonView, watchToEnd } from "./watch-to-end.ts";
import type { WatchFormat } from "./watch-to-end.ts";

/**
 * Shows what a task does until it ends, then a summary. Ctrl-C stops watching, not the task.
 * @throws CliError when there is nothing to watch, or the service rejects or stays away.
 */
export async function watchTask(session: Session, task: Task, format: WatchFormat): Promise<ExitCode> {
  const { out, api, client } = session;
  const { id } = task;
  const source = streamOf(task);
  return watchToEnd(out, {
    follow: (watching) => streamEvents(client, { ...source, ...watching }),
    view: (stop) =>
      format === "json"
        ? jsonView(out)
        : createTextView(out, openAnswerDesk(session, { what: "task", id, onAbort: stop })),
    summarize: async (retries) => summarize(out, "task", await readWithRetries(() => api.getTask(id), retries)),
    stopped: [
      "Stopped watching; the task is still running.",
      `Watch it again: muster tasks watch ${id}`,
      `Cancel it:      muster tasks cancel ${id}`,
    ],
  });
}

function streamOf({ id, status, assigned_agent_id: agentId }: Task): StreamSource {
  if (status === "pending" || agentId === null) {
    throw new CliError(EXIT.failed, `Task ${id} is ${status} and has no run to watch; give it an agent first.`);
  }
  return streamOfTask(agentId, id);
}
