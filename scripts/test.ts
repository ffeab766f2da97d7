/**
 * Runs what proves the program, in the parts that are named: `tests` (the default) are the checks and then what each
 * commit is tested by; `details` are the slow tests and the console's finer points in a browser; `soak` are what a
 * release ships, and then series of faults, load and long waits, one file after another.
 *
 * A few failed files are repeated alone, because they run side by side and a busy machine can delay any of them. What
 * passes then counts as passed and is listed as unsteady. A failure of `soak` is a finding: never repeated.
 *
 * Closes with the failures of all parts, so that the end of the output says why, and with a line that counts the tests.
 */
import { z } from "zod";
import { runNode, runVitest } from "./vitest-run.ts";
import type { Failure, Selection, VitestRun } from "./vitest-run.ts";

const PARTS = z.enum(["tests", "details", "soak"]);
const EACH_COMMIT = ["unit", "contract", "e2e", "browser"];
/** What vitest runs for each part. */
const RUNS: Readonly<Record<z.output<typeof PARTS>, readonly Run[]>> = {
  tests: [{ projects: EACH_COMMIT, slow: false }],
  details: [{ projects: EACH_COMMIT, slow: true }, { projects: ["details"] }],
  soak: [{ projects: ["release"] }, { projects: ["soak"], isRepeated: false }],
};
/** The number of failed files that are repeated; more are no chance. */
const MAX_REPEATED = 3;

interface Run extends Selection {
  /** Whether a few failed files are repeated; true when absent. */
  readonly isRepeated?: boolean;
}

interface Result extends VitestRun {
  /** The failures that did not repeat. */
  readonly unsteady: readonly Failure[];
}

const named = z.array(PARTS).parse(process.argv.slice(2));
const parts: typeof named = named.length === 0 ? ["tests"] : named;
const isChecked = !parts.includes("tests") || runNode(["scripts/check.ts"]);
const results = parts.flatMap((part) => RUNS[part]).map(runSteadily);
const sum = (count: "passed" | "failed" | "skipped") => results.reduce((total, result) => total + result[count], 0);
const unsteady = results.flatMap((result) => result.unsteady);
for (const { text } of unsteady) console.log(`\nUnsteady, passed when repeated: ${text}`);
for (const { text } of results.flatMap(({ failures }) => failures)) console.log(`\nFailed: ${text}`);
if (!isChecked) console.log("The checks failed: see above.");
console.log(
  `${sum("passed")} passed, ${sum("failed")} failed (${sum("skipped")} skipped, ${unsteady.length} unsteady)`,
);
process.exitCode = isChecked && results.every(({ isPassed }) => isPassed) ? 0 : 1;

function runSteadily({ isRepeated = true, ...selection }: Run): Result {
  const first = runVitest(selection);
  const files = new Set(first.failures.map(({ file }) => file));
  if (!isRepeated || files.size === 0 || files.size > MAX_REPEATED) return { ...first, unsteady: [] };
  const again = runVitest(selection, ["--maxWorkers=1", ...files]);
  const failed = again.failed;
  const passed = first.passed + first.failed - failed;
  return { ...again, passed, failed, skipped: first.skipped, unsteady: again.isPassed ? first.failures : [] };
}
