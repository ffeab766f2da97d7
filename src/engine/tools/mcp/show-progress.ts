import type { Progress } from "@modelcontextprotocol/client";
import { storableText } from "#domain/storable.ts";
import { withoutSecrets } from "#operations/tools/stored-headers.ts";
import type { Headers } from "#operations/tools/stored-headers.ts";

/**
 * The minimum interval between progress lines of a call, in milliseconds, and their maximum length in total, in
 * characters.
 */
const INTERVAL_MS = 300;
const MAX_CHARACTERS = 20_000;
const MAX_MESSAGE = 500;

/** The progress of one call, as lines of the event log. */
export interface ProgressLines {
  /** Takes a report of the server. One that follows too soon is held back, and replaced by the next. */
  readonly report: (progress: Progress) => void;
  /** Writes the last report if it was held back: for the end of the call. */
  readonly end: () => void;
}

/** Writes the progress that an MCP server reports for a call to the event log by `show`, without secrets. */
export function showProgress(show: (text: string) => Promise<void>, secrets: () => Headers): ProgressLines {
  let shownAt = -Infinity;
  let total = 0;
  let held: Progress | undefined;
  const write = (progress: Progress) => {
    held = undefined;
    if (total >= MAX_CHARACTERS) return;
    const line = lineOf(progress, secrets());
    shownAt = performance.now();
    total += line.length;
    // If progress cannot be written, the call's end cannot be either, and that reports it.
    void show(line).catch(() => undefined);
  };
  return {
    report(progress) {
      if (performance.now() - shownAt < INTERVAL_MS) held = progress;
      else write(progress);
    },
    end() {
      if (held !== undefined) write(held);
    },
  };
}

function lineOf({ progress, total, message }: Progress, headers: Headers): string {
  const share = total === undefined ? String(progress) : `${progress}/${total}`;
  const words = withoutSecrets((message ?? "").slice(0, MAX_MESSAGE), headers);
  return storableText(`${share}${words === "" ? "" : ` ${words}`}\n`);
}
