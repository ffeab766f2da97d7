import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { chunkBlocks } from "./chunk-blocks.ts";
import type { DocumentFormat } from "./format.ts";
import { dropPrivileges } from "./isolation.ts";
import { ExtractionError, issueOf } from "./limits.ts";
import type { ExtractionLimits } from "./limits.ts";
import { loadReader, readBlocks } from "./read-blocks.ts";

/** What to do, as the only process that starts this one writes it. */
interface Order {
  readonly format: DocumentFormat;
  readonly limits: ExtractionLimits;
  readonly as: "passages" | "text";
}

// The process that run-extraction.ts starts: a file comes in on standard input, its text goes out on standard output.
const { format, limits, as }: Order = JSON.parse(process.argv[2] ?? "");
// A thread, since this one is busy. It also counts what lies outside of the heap, to which no flag sets a limit.
const watch = new Worker(new URL("memory-watch.ts", import.meta.url), { workerData: limits.memoryBytes });
// Another user may not be able to reach the program's files.
await Promise.all([once(watch, "message"), loadReader(format, limits)]);
dropPrivileges();
watch.unref();

process.stdout.end(JSON.stringify(await answer(await buffer(process.stdin))));

async function answer(content: Uint8Array): Promise<object> {
  try {
    // A copy: what a reader takes for its own must not be a part of a larger buffer.
    const blocks = await readBlocks(new Uint8Array(content), { format, limits });
    return as === "text" ? { text: blocks.map(({ text }) => text).join("\n\n") } : { passages: chunkBlocks(blocks) };
  } catch (error) {
    if (error instanceof ExtractionError) return { reason: error.message };
    return { reason: `It cannot be read: ${issueOf(error)}` };
  }
}
