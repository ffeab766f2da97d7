import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { ExitCode } from "../errors/exit-codes.ts";
import type { Task } from "../records.ts";
import type { Session } from "../session.ts";
import { formatCost, formatDuration } from "../terminal/format.ts";
import type { Output } from "../terminal/output.ts";
import { createPatience } from "./patience.ts";
import type { Patience } from "./patience.ts";
import { pollTask, readPatiently } from "./poll-task.ts";
import { streamTask } from "./stream-task.ts";
import { createTextView } from "./text-view.ts";
import type { View } from "./text-view.ts";
import type { WatchEvent } from "./watch-event.ts";

/** How events are printed: for people, or one JSON document a line. */
export type WatchFormat = "text" | "json";

/**
 * Shows what a task does until it ends, then a summary. Ctrl-C stops watching, not the task.
 * @throws CliError when there is nothing to watch, or the service refuses or stays away.
 */
export async function watchTask(session: Session, task: Task, format: WatchFormat): Promise<ExitCode> {
  const { out } = session;
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once("SIGINT", stop);
  const { signal } = interrupt;
  const patience = createPatience({ signal, onTrouble: () => out.note("Connection lost; trying again …", "yellow") });
  try {
    const view = format === "json" ? (event: WatchEvent) => out.json(event) : createTextView(out);
    await showAll(follow(session, { task, signal, patience }), view);
    const ended = await readPatiently(session.api, task.id, patience);
    summarize(out, ended);
    return ended.status === "completed" ? EXIT.ok : EXIT.failed;
  } catch (error) {
    if (!signal.aborted) throw error;
    out.endLine();
    out.note("Stopped watching; the task goes on.");
    out.note(`Watch it again: muster tasks watch ${task.id}`);
    out.note(`Cancel it:      muster tasks cancel ${task.id}`);
    return EXIT.interrupted;
  } finally {
    process.removeListener("SIGINT", stop);
  }
}

interface FollowOptions {
  readonly task: Task;
  readonly signal: AbortSignal;
  readonly patience: Patience;
}

function follow({ settings, client, api, out }: Session, options: FollowOptions): AsyncIterable<WatchEvent> {
  const { task, signal, patience } = options;
  const { id: taskId, assigned_agent_id: agentId, status } = task;
  if (status === "pending" || agentId === null) {
    throw new CliError(EXIT.failed, `Task ${taskId} is ${status} and has no run to watch; give it an agent first.`);
  }
  if (settings.aguiKey !== undefined) return streamTask(client, { agentId, taskId, signal, patience });
  out.note("No AG-UI key (MUSTER_AGUI_KEY or --agui-key): showing states and the result, not the text as it comes.");
  return pollTask(api, { taskId, signal, patience });
}

async function showAll(events: AsyncIterable<WatchEvent>, view: View): Promise<void> {
  for await (const event of events) view(event);
}

function summarize(out: Output, { id, status, usage, started_at, completed_at }: Task): void {
  const parts = [
    status,
    `${usage.prompt_tokens} tokens in, ${usage.completion_tokens} out`,
    formatCost(usage.cost_usd),
    ...(started_at && completed_at ? [formatDuration(Date.parse(completed_at) - Date.parse(started_at))] : []),
    `task ${id}`,
  ];
  out.note(parts.join(" · "), status === "completed" ? "green" : "red");
}
