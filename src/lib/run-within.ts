import { Script, createContext } from "node:vm";

const CALL = new Script("run()");

/** Work took longer than it may. */
export class TookTooLong extends Error {
  override readonly name = "TookTooLong";
}

/**
 * Runs synchronous work and breaks it off after `ms` milliseconds wherever it is, also inside of a regular expression
 * that never ends. For work whose cost somebody else decides; what it has changed until then stays changed.
 * @throws TookTooLong; whatever the work throws.
 */
export function runWithin<T>(ms: number, work: () => T): T {
  let result: { readonly value: T } | undefined;
  const run = () => {
    result = { value: work() };
  };
  try {
    CALL.runInContext(createContext({ run }), { timeout: ms });
  } catch (error) {
    if (isTimeout(error)) throw new TookTooLong(`took longer than ${ms} ms`, { cause: error });
    throw error;
  }
  if (result === undefined) throw new Error("Work that has ended has a result.");
  return result.value;
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
