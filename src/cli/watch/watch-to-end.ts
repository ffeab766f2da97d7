import type { CallOptions, StreamEvent, StreamOptions, StreamedEvent } from "#client/index.ts";
import type { ExitCode } from "../errors/exit-codes.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { Output } from "../terminal/output.ts";

/** How often the end of a run is read again: a service that restarts is back after some seconds. */
const SUMMARY_RETRIES = 8;

/** Shows a watched task's or run's events as they come. */
export interface View {
  show(event: StreamEvent): void;
  /** Stops drawing, whatever is on the screen. */
  close(): void;
}

/** How events are printed: for people, or one JSON document a line. */
export type WatchFormat = "text" | "json";

/** What is watched. */
export interface WatchTarget {
  readonly follow: (options: StreamOptions) => AsyncIterable<StreamedEvent>;
  /** @param stop ends the watching, as Ctrl-C does */
  readonly view: (stop: () => void) => View;
  /** Called after the last event; says how it went. */
  readonly summarize: (options: CallOptions) => Promise<ExitCode>;
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
export async function watchToEnd(out: Output, { follow, view, summarize, stopped }: WatchTarget): Promise<ExitCode> {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once("SIGINT", stop);
  const { signal } = interrupt;
  const onReconnect = () => out.note("Connection lost; trying again …", "yellow");
  const shown = view(stop);
  try {
    for await (const { event } of follow({ signal, onReconnect })) shown.show(event);
    shown.close();
    return await summarize({ signal, retries: SUMMARY_RETRIES });
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
