import type { ExitCode } from "../errors/exit-codes.ts";
import type { Run } from "../service/records.ts";
import type { Session } from "../service/session.ts";
import { poll, readWithRetries } from "./poll.ts";
import { createRunView } from "./run-view.ts";
import { streamEvents, streamOfRun } from "./stream-events.ts";
import { summarize } from "./summarize.ts";
import type { WatchEvent } from "./watch-event.ts";
import { watchToEnd } from "./watch-to-end.ts";
import type { WatchFormat, Watching } from "./watch-to-end.ts";

const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/**
 * Shows the steps of a team's run until it ends, then its output and a summary. Ctrl-C stops watching, not the run.
 * @throws CliError when the service rejects or stays away.
 */
export async function watchRun(session: Session, runId: string, format: WatchFormat): Promise<ExitCode> {
  const { out, api } = session;
  const view = format === "json" ? undefined : createRunView(out);
  try {
    return await watchToEnd(out, {
      follow: (watching) => follow(session, runId, watching),
      view: view?.show ?? ((event) => out.json(event)),
      summarize: async (retries) => summarize(out, "run", await readWithRetries(() => api.getRun(runId), retries)),
      stopped: [
        "Stopped watching; the run continues.",
        `Watch it again: muster runs watch ${runId}`,
        `Cancel it:      muster runs cancel ${runId}`,
      ],
    });
  } finally {
    view?.close();
  }
}

function follow({ settings, client, api, out }: Session, id: string, watching: Watching): AsyncIterable<WatchEvent> {
  if (settings.aguiKey !== undefined) return streamEvents(client, { ...streamOfRun(id), ...watching });
  out.note("No AG-UI key (MUSTER_AGUI_KEY or --agui-key): showing states and the output, not the steps as they come.");
  return poll({ read: () => api.getRun(id), describe, ...watching });
}

function describe(run: Run): WatchEvent[] {
  const { id: threadId, status, interaction } = run;
  return [
    { type: "RUN_STATUS", threadId, status },
    ...(interaction === null ? [] : [{ type: "INTERACTION_REQUEST", threadId, ...interaction }]),
    ...(ENDED.has(status) ? [finalEvent(run)] : []),
  ];
}

function finalEvent({ id, status, output, error }: Run): WatchEvent {
  if (status === "completed") return { type: "RUN_FINISHED", threadId: id, result: output };
  const message = error ?? (status === "cancelled" ? "The run was cancelled." : "The run failed.");
  return { type: "RUN_ERROR", threadId: id, message };
}
