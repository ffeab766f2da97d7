import type { z } from "zod";
import { AppError, describeIssue } from "./errors.ts";
import type { FieldIssue } from "./errors.ts";

/** The rejection of a caller's input, with every fault and its path. @param part what was read: `body`, `query` */
export function invalid(part: string, details: readonly FieldIssue[]): AppError {
  const summary = details.map(describeIssue).join("; ");
  return new AppError("bad_request", `Invalid ${part}: ${summary}`, { details });
}

/** What a schema found wrong, as faults of the caller's input. @param under the path of what was checked */
export function issuesOf({ issues }: z.ZodError, under: readonly PropertyKey[] = []): FieldIssue[] {
  return issues.flatMap((issue) => {
    const path = [...under, ...issue.path].join(".");
    if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
    return issue.keys.map((key) => ({ path: path === "" ? key : `${path}.${key}`, message: "unknown field" }));
  });
}
