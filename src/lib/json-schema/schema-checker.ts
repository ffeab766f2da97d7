import { z } from "zod";
import { createSandbox } from "../sandbox/sandbox.ts";
import { SandboxLimitError } from "../sandbox/sandbox-error.ts";
import type { SchemaIssue } from "./compile-schema.ts";
import type { SchemaRequest } from "./schema-program.ts";
import { UnusableSchemaError } from "./unusable-schema-error.ts";

/** The time limit of compiling a schema and checking a value; usually it takes less than a millisecond. */
const TIMEOUT_MS = 1_000;
const QUEUE_MS = 10_000;
const MEMORY_MB = 128;
const CPU = { burstMs: 2_000, refillMsPerSecond: 100 };

const answer = z.union([
  z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })) }),
  z.object({ unusable: z.string() }),
  z.object({ part: z.record(z.string(), z.unknown()) }),
]);

/**
 * Compiles and checks users' JSON Schemas in a worker. Each owner has its own queue and CPU budget, so slow checks of
 * one owner do not delay others.
 */
export interface SchemaChecker {
  /**
   * Checks that a schema can be used.
   * @throws UnusableSchemaError, also when it takes too long; SandboxLimitError `queue` when the owner has used up its
   * CPU budget
   */
  assertUsable(owner: string, schema: SchemaRequest["schema"]): Promise<void>;
  /**
   * Returns a schema without the keywords that make it unusable, such as a pattern of another language.
   * @throws as `assertUsable`, for the rest
   */
  usablePart(owner: string, schema: SchemaRequest["schema"]): Promise<SchemaRequest["schema"]>;
  /**
   * Returns the violations of a value; a check that takes too long counts as a violation.
   * @throws as `assertUsable`
   */
  check(owner: string, schema: SchemaRequest["schema"], value: unknown): Promise<readonly SchemaIssue[]>;
  close(): Promise<void>;
}

/**
 * Creates a checker; its worker starts with the first check.
 * @param queueMs how long a check waits for its turn at most, in milliseconds
 */
export function createSchemaChecker(queueMs = QUEUE_MS): SchemaChecker {
  const sandbox = createSandbox({
    program: new URL("schema-program.ts", import.meta.url),
    timeoutMs: TIMEOUT_MS,
    memoryMb: MEMORY_MB,
    queueMs,
    cpu: CPU,
  });

  async function ask(owner: string, request: SchemaRequest) {
    const result = answer.parse(await sandbox.run(owner, withPlainNumbers(request)));
    if ("unusable" in result) throw new UnusableSchemaError(result.unusable);
    return result;
  }

  async function issuesOf(owner: string, request: SchemaRequest) {
    const result = await ask(owner, request);
    return "issues" in result ? result.issues : [];
  }

  return {
    async assertUsable(owner, schema) {
      await ask(owner, { schema }).catch(asUnusable);
    },
    async usablePart(owner, schema) {
      const result = await ask(owner, { schema, wantsPart: true }).catch(asUnusable);
      return "part" in result ? result.part : schema;
    },
    check: (owner, schema, value) =>
      issuesOf(owner, { schema, value }).catch((error: unknown) => {
        if (!isLimitError(error)) throw error;
        return [{ path: "", message: `the check of this value against the schema ${describeLimit(error)}` }];
      }),
    close: () => sandbox.close(),
  };
}

/** A worker gets no opaque integers of `parseExactly`, and a check needs no more digits than a number has. */
function withPlainNumbers({ schema, value, ...request }: SchemaRequest): SchemaRequest {
  const plain = z.object({ schema: z.record(z.string(), z.unknown()), value: z.unknown().optional() });
  try {
    return { ...request, ...plain.parse(JSON.parse(JSON.stringify({ schema, value }))) };
  } catch (error) {
    // The worker's limit says what is wrong with values that are nested too deeply.
    if (error instanceof RangeError) return { schema, value, ...request };
    throw error;
  }
}

function asUnusable(error: unknown): never {
  throw isLimitError(error) ? new UnusableSchemaError(`it ${describeLimit(error)}`, { cause: error }) : error;
}

function isLimitError(error: unknown): error is SandboxLimitError {
  return error instanceof SandboxLimitError && error.limit !== "queue";
}

function describeLimit({ limit }: SandboxLimitError): string {
  if (limit === "nesting") return "fails: it is nested too deeply";
  return limit === "memory" ? "takes too much memory" : "takes too long";
}
