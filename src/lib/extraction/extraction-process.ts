import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { chunkBlocks } from "./chunk-blocks.ts";
import type { DocumentFormat } from "./format.ts";
import { dropPrivileges } from "./isolation.ts";
import { ExtractionError, issueOf } from "./limits.ts";
import type { ExtractionLimits } from "./limits.ts";
import { loadReader, readBlocks } from "./read-blocks.ts";

/** The instructions, as written by the only process that starts this one. */
interface Order {
  readonly format: DocumentFormat;
  readonly limits: ExtractionLimits;
  readonly as: "passages" | "text";
}

// The process started by run-extraction.ts: reads a file from standard input and writes its text to standard output.
const { format, limits, as }: Order = JSON.parse(process.argv[2] ?? "");
// In a worker, since this thread is busy. It also counts memory outside of the heap, which no flag limits.
const watch = new Worker(new URL("memory-watch.mjs", import.meta.url), { workerData: limits.memoryBytes });
// Loaded before the user changes, because another user may not be able to read the program's files.
await Promise.all([once(watch, "message"), loadReader(format, limits)]);
dropPrivileges();
watch.unref();

process.stdout.end(JSON.stringify(await answer(await buffer(process.stdin))));

async function answer(content: Uint8Array): Promise<object> {
  try {
    // A copy, because a reader may transfer the buffer, which must not be part of a larger one.
    const { blocks, warnings } = await readBlocks(new Uint8Array(content), { format, limits });
    const text = () => blocks.map((block) => block.text).join("\n\n");
    return { warnings, ...(as === "text" ? { text: text() } : { passages: chunkBlocks(blocks) }) };
  } catch (error) {
    if (error instanceof ExtractionError) return { reason: error.message };
    return { reason: `It cannot be read: ${issueOf(error)}` };
  }
}
