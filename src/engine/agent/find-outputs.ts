import { z } from "zod";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { SandboxLimitError } from "#lib/sandbox/sandbox-error.ts";
import type { FoundOutputs, OutputFinder } from "../run/ports.ts";

/** Only this many characters of a result are searched for files. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const TIMEOUT_MS = 5_000;
const QUEUE_MS = 30_000;
const MEMORY_MB = 256;
/** One search at a time is enough: a search takes linear time. */
const CPU = { burstMs: 60_000, refillMsPerSecond: 1_000 };

const outputFiles = z.array(z.object({ name: z.string(), type: z.string(), text: z.string() }));

/** Creates a finder; its worker starts with the first result that may contain a file. */
export function createOutputFinder(
  program: URL = new URL("output-files-program.ts", import.meta.url),
  timeoutMs: number = TIMEOUT_MS,
): OutputFinder {
  const sandbox = createSandbox({ program, timeoutMs, memoryMb: MEMORY_MB, queueMs: QUEUE_MS, cpu: CPU });
  return {
    async find(workspaceId, result) {
      // Most results have no code block.
      if (!result.includes("```") && !result.includes("~~~")) return { files: [] };
      if (result.length > MAX_CHARACTERS) {
        return skipped(`the result has more than ${MAX_CHARACTERS} characters`);
      }
      try {
        return { files: outputFiles.parse(await sandbox.run(workspaceId, result)) };
      } catch (error) {
        return skipped(reasonOf(error), error);
      }
    },
    close: () => sandbox.close(),
  };
}

function skipped(reason: string, cause?: unknown): FoundOutputs {
  return { files: [], skipped: `The code blocks of the result were not stored as files: ${reason}.`, cause };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof SandboxLimitError)) return "the search failed";
  return error.limit === "memory" ? "the search took too much memory" : "the search took too long";
}
