import { test } from "vitest";
import type { TestOptions } from "vitest";
import type { RequirementId } from "../contract/requirements/index.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The requirements that the test proves. */
    verifies?: readonly RequirementId[];
  }
}

/**
 * Declares a vitest test that proves requirements. Their ids follow the test's name (so that `vitest -t agents.create` finds it) and in its `meta.verifies`.
 *
 * The coverage test reads the ids from the source text, so they must stand there as string literals:
 * in the call itself, or, for a test made in a loop, in a property called `verifies` of the table's rows.
 *
 * @param ids one requirement or several; each must be proved in full by this test or by it and others together
 * @param name what is true when the test passes, as a sentence
 * @param fn the test
 * @param options vitest's options of the test, or only its time limit in milliseconds
 */
export function verifies(
  ids: RequirementId | readonly RequirementId[],
  name: string,
  fn: () => Promise<void> | void,
  options: number | TestOptions = {},
): void {
  const list = typeof ids === "string" ? [ids] : ids;
  const given = typeof options === "number" ? { timeout: options } : options;
  test(`${name} [${list.join(", ")}]`, { ...given, meta: { verifies: list } }, () => fn());
}
