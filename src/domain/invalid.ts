import type { z } from "zod";
import { AppError, describeIssue } from "./errors.ts";
import type { FieldIssue } from "./errors.ts";

/**
 * Returns the error for a caller's input, with every issue and its path. @param part the part of the request: `body`,
 * `query`
 */
export function invalid(part: string, details: readonly FieldIssue[]): AppError {
  const summary = details.map(describeIssue).join("; ");
  return new AppError("bad_request", `Invalid ${part}: ${summary}`, { details });
}

/** Converts a schema's issues to issues of the caller's input. @param under the path of the validated part */
export function issuesOf({ issues }: z.ZodError, under: readonly PropertyKey[] = []): FieldIssue[] {
  return issues.flatMap((issue) => {
    const path = [...under, ...issue.path].join(".");
    if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
    return issue.keys.map((key) => ({ path: path === "" ? key : `${path}.${key}`, message: "unknown field" }));
  });
}
