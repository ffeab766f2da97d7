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

/** Writes the progress that an MCP server reports for a call to the event log, one line per report. */
export function showProgress(show: (text: string) => Promise<void>, headers: Headers): (progress: Progress) => void {
  let shownAt = -Infinity;
  let total = 0;
  return ({ progress, total: of, message }) => {
    if (performance.now() - shownAt < INTERVAL_MS || total >= MAX_CHARACTERS) return;
    const share = of === undefined ? String(progress) : `${progress}/${of}`;
    const words = withoutSecrets((message ?? "").slice(0, MAX_MESSAGE), headers);
    const line = storableText(`${share}${words === "" ? "" : ` ${words}`}\n`);
    shownAt = performance.now();
    total += line.length;
    // If progress cannot be written, the call's end cannot be either, and that reports it.
    void show(line).catch(() => undefined);
  };
}
