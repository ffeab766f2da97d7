import type { ExitCode } from "../errors/exit-codes.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { Output } from "../terminal/output.ts";
import { createRetryTimer } from "./retry-timer.ts";
import type { RetryTimer } from "./retry-timer.ts";
import type { WatchEvent } from "./watch-event.ts";

/** Shows a watched task's or run's events as they come. */
export interface View {
  show(event: WatchEvent): void;
  /** Stops drawing, whatever is on the screen. */
  close(): void;
}

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
  /** @param stop ends the watching, as Ctrl-C does */
  readonly view: (stop: () => void) => View;
  /** Called after the last event; says how it went. */
  readonly summarize: (retries: RetryTimer) => Promise<ExitCode>;
  /** The lines for a person who stops watching. */
  readonly stopped: readonly string[];
}

/** A view for programs: one JSON document a line. */
export function jsonView(out: Output): View {
  return { show: (event) => out.json(event), close: () => undefined };
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
  const shown = view(stop);
  try {
    for await (const event of follow({ signal, retries })) shown.show(event);
    shown.close();
    return await summarize(retries);
  } catch (error) {
    shown.close();
    if (!signal.aborted) throw error;
    out.endLine();
    for (const line of stopped) out.note(line);
    return EXIT.interrupted;
  } finally {
    process.removeListener("SIGINT", stop);
  }
}
