import { z } from "zod";
import { AppError } from "../errors.ts";
import type { StepFacts } from "../runs/step-facts.ts";
import type { JournalRow } from "./run-journal.ts";

/** The results of tools to replace. */
export interface ResultChange {
  /** The new results, by the keys of the calls. */
  readonly results: Readonly<Record<string, string>>;
  /** The person who changes them. */
  readonly by: NonNullable<StepFacts["answeredBy"]>;
}

const TOOL = /^tool:/;
const recorded = z.object({ output: z.string(), isError: z.boolean() });

/**
 * Returns the rows of a step with other results of its tools.
 * @throws AppError `conflict` when the step has no result of such a call
 */
export function changeResults(rows: readonly JournalRow[], { results, by }: ResultChange): readonly JournalRow[] {
  const changeable = rows.filter(hasResult).map(({ key }) => key);
  const unknown = Object.keys(results).find((key) => !changeable.includes(key));
  if (unknown !== undefined) {
    const known = changeable.length === 0 ? "none" : changeable.join(", ");
    throw new AppError(
      "conflict",
      `This step of the run has no result ${JSON.stringify(unknown)} to change; it has ${known}.`,
    );
  }
  return rows.map((row) => {
    const output = results[row.key];
    if (output === undefined) return row;
    const changed = { answeredBy: by, answeredVia: "console" } as const;
    return { ...row, result: JSON.stringify({ output, isError: false }), changed };
  });
}

/** A call that asked a person has an answer instead, which is changed as one. */
function hasResult({ key, result }: JournalRow): boolean {
  return TOOL.test(key) && recorded.safeParse(JSON.parse(result)).success;
}
