import { createContext, use } from "react";
import type { Problem } from "../../../api/problem.ts";

/** The server's issues with the fields of the surrounding form. */
const Issues = createContext<Problem | undefined>(undefined);

export const IssuesProvider = Issues;

/** The server's issue with a field, by its path such as `config.steps.0.agent_id`. */
export function useIssue(path: string): string | undefined {
  return use(Issues)?.details.find((issue) => issue.path === path)?.message;
}

/** Whether the server found something in a field or below it. */
export function useHasIssues(path: string): boolean {
  return use(Issues)?.details.some((issue) => issue.path === path || issue.path.startsWith(`${path}.`)) === true;
}
