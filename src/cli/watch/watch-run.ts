import type { ExitCode } from "../errors/exit-codes.ts";
import type { Session } from "../service/session.ts";
import { openAnswerPrompt } from "./answer-in-place.ts";
import { createRunView } from "./run-view.ts";
import { summarize } from "./summarize.ts";
import { jsonView, watchToEnd } from "./watch-to-end.ts";
import type { WatchFormat } from "./watch-to-end.ts";

/**
 * Shows the steps of a team run until it ends, then its output and a summary. Ctrl-C stops watching, not the run.
 * @throws CliError when the service rejects the request or stays unreachable.
 */
export async function watchRun(session: Session, id: string, format: WatchFormat): Promise<ExitCode> {
  const { out, muster } = session;
  return watchToEnd(out, {
    follow: (options) => muster.streamTeamRun({ runId: id }, options),
    view: (stop) =>
      format === "json"
        ? jsonView(out)
        : createRunView(out, openAnswerPrompt(session, { what: "run", id, onAbort: stop })),
    summarize: async (options) => summarize(out, "run", await muster.getTeamRun({ id }, options)),
    stopped: [
      "Stopped watching; the run continues.",
      `Watch it again: muster runs watch ${id}`,
      `Cancel it:      muster runs cancel ${id}`,
    ],
  });
}
