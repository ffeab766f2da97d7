import type { ExitCode } from "../errors/exit-codes.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { Output } from "../terminal/output.ts";
import { createRetryTimer } from "./retry-timer.ts";
import type { RetryTimer } from "./retry-timer.ts";
import type { WatchEvent } from "./watch-event.ts";

/** Shows a watched run's events as they come. */
export type View = (event: WatchEvent) => void;

/** How events are printed: for people, or one JSON document a line. */
export type WatchFormat = "text" | "json";

/** How long to watch, and what to bear. */
export interface Watching {
  readonly signal: AbortSignal;
  readonly retries: RetryTimer;
}

/** What is watched. */
export interface Watched {
  readonly follow: (watching: Watching) => AsyncIterable<WatchEvent>;
  readonly view: View;
  /** Said behind the last event; tells how it went. */
  readonly summarize: (retries: RetryTimer) => Promise<ExitCode>;
  /** What a person who stops watching is told. */
  readonly stopped: readonly string[];
}

/**
 * Shows what a task or a run does until it ends, then a summary. Ctrl-C stops watching, not the work.
 * @throws CliError when there is nothing to watch, or the service rejects or stays away.
 */
export async function watchToEnd(out: Output, { follow, view, summarize, stopped }: Watched): Promise<ExitCode> {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once("SIGINT", stop);
  const { signal } = interrupt;
  const retries = createRetryTimer({ signal, onTrouble: () => out.note("Connection lost; trying again …", "yellow") });
  try {
    for await (const event of follow({ signal, retries })) view(event);
    return await summarize(retries);
  } catch (error) {
    if (!signal.aborted) throw error;
    out.endLine();
    for (const line of stopped) out.note(line);
    return EXIT.interrupted;
  } finally {
    process.removeListener("SIGINT", stop);
  }
}
