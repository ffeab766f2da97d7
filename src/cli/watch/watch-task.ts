import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { ExitCode } from "../errors/exit-codes.ts";
import type { Schemas } from "#client/index.ts";
import type { Session } from "../service/session.ts";
import { openAnswerPrompt } from "./answer-in-place.ts";
import { summarize } from "./summarize.ts";
import { createTextView } from "./text-view.ts";
import { jsonView, watchToEnd } from "./watch-to-end.ts";
import type { WatchFormat } from "./watch-to-end.ts";

type Task = Schemas["Task"];

/**
 * Shows the events of a task until it ends, then a summary. Ctrl-C stops watching, not the task.
 * @throws CliError when there is nothing to watch, or the service rejects the request or stays unreachable.
 */
export async function watchTask(session: Session, task: Task, format: WatchFormat): Promise<ExitCode> {
  const { out, muster } = session;
  const { id } = task;
  const agentId = watchedAgent(task);
  return watchToEnd(out, {
    follow: (options) => muster.streamTask({ agentId, taskId: id }, options),
    view: (stop) =>
      format === "json"
        ? jsonView(out)
        : createTextView(out, openAnswerPrompt(session, { what: "task", id, onAbort: stop })),
    summarize: async (options) => summarize(out, "task", await muster.getTask({ id }, options)),
    stopped: [
      "Stopped watching; the task is still running.",
      `Watch it again: muster tasks watch ${id}`,
      `Cancel it:      muster tasks cancel ${id}`,
    ],
  });
}

function watchedAgent({ id, status, assigned_agent_id: agentId }: Task): string {
  if (status === "pending" || agentId === null) {
    throw new CliError(EXIT.failed, `Task ${id} is ${status} and has no run to watch; give it an agent first.`);
  }
  return agentId;
}
