import type { z } from "zod";
import { AppError, describeIssue } from "./errors.ts";
import type { FieldIssue } from "./errors.ts";
import { UNKNOWN_FIELD } from "./plain-messages.ts";

/** More issues would make a response larger than the request, which need not be authenticated. */
const MAX_SHOWN = 100;

/**
 * Returns the error for a caller's input, with the first {@link MAX_SHOWN} issues and their paths. @param part the part
 * of the request: `body`, `query`
 */
export function invalid(part: string, issues: readonly FieldIssue[]): AppError {
  const details = issues.slice(0, MAX_SHOWN);
  const rest = issues.length - details.length;
  const summary = [...details.map(describeIssue), ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ");
  return new AppError("bad_request", `Invalid ${part}: ${summary}`, { details });
}

/** Converts a schema's issues to issues of the caller's input. @param under the path of the validated part */
export function issuesOf({ issues }: Pick<z.ZodError, "issues">, under: readonly PropertyKey[] = []): FieldIssue[] {
  // Of a value of the wrong type, zod also checks the length.
  const mistyped = new Set(issues.filter(({ code }) => code === "invalid_type").map(pathOf));
  const apt = issues.filter((issue) => issue.code === "invalid_type" || !mistyped.has(pathOf(issue)));
  return apt.flatMap((issue) => {
    const path = [...under, ...issue.path].join(".");
    if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
    const messages = issue.message.startsWith(UNKNOWN_FIELD) ? issue.message.split("\n") : [];
    return issue.keys.map((key, index) => ({
      path: path === "" ? key : `${path}.${key}`,
      message: messages[index] ?? UNKNOWN_FIELD,
    }));
  });
}

function pathOf({ path }: Pick<z.core.$ZodIssue, "path">): string {
  return JSON.stringify(path);
}
