import type { Progress } from "@modelcontextprotocol/client";
import { storableText } from "#domain/storable.ts";
import { withoutSecrets } from "#operations/tools/stored-headers.ts";
import type { Headers } from "#operations/tools/stored-headers.ts";

/** How often a call's progress is shown at most, in milliseconds, and how much of it in all, in characters. */
const INTERVAL_MS = 300;
const MAX_CHARACTERS = 20_000;
const MAX_MESSAGE = 500;

/** Shows the progress that an MCP server reports of a call in the event log, one line each. */
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
    // What cannot be shown is noticed when the call's end cannot be written either.
    void show(line).catch(() => undefined);
  };
}
