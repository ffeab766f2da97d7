import type { CallOptions, StreamEvent, StreamOptions, StreamedEvent } from "#client/index.ts";
import type { ExitCode } from "../errors/exit-codes.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { Output } from "../terminal/output.ts";

/** The number of retries to read the end of a run: a restarting service is back after some seconds. */
const SUMMARY_RETRIES = 8;

/** Shows the events of a watched task or run as they arrive. */
export interface View {
  show(event: StreamEvent): void;
  /** Stops drawing and leaves the screen as it is. */
  close(): void;
}

/** The format of events: text for people, or one JSON document per line. */
export type WatchFormat = "text" | "json";

/** The task or run to watch. */
export interface WatchTarget {
  readonly follow: (options: StreamOptions) => AsyncIterable<StreamedEvent>;
  /** Creates the view. @param stop ends the watch, like Ctrl-C */
  readonly view: (stop: () => void) => View;
  /** Called after the last event; prints the outcome. */
  readonly summarize: (options: CallOptions) => Promise<ExitCode>;
  /** The lines to print when a person stops watching. */
  readonly stopped: readonly string[];
}

/** Creates a view for programs: one JSON document per line. */
export function jsonView(out: Output): View {
  return { show: (event) => out.json(event), close: () => undefined };
}

/**
 * Shows the events of a task or a run until it ends, then a summary. Ctrl-C stops watching, not the work.
 * @throws CliError when there is nothing to watch, or the service rejects the request or stays unreachable.
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
