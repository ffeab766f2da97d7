import type { QueryClient } from "@tanstack/react-query";
import { Problem, asProblem } from "../../../api/problem.ts";
import type { patchOf } from "../form/body.ts";
import { startGolden } from "./start-golden.ts";

/**
 * Tries unsaved changes of an agent on its golden cases. Returns the id of the golden run.
 * @throws Problem with the server's issues at the fields that were changed
 */
export function tryChanges(client: QueryClient, agentId: string, changes: ReturnType<typeof patchOf>): Promise<string> {
  return startGolden(client, agentId, { changes }).catch((failure: unknown) => {
    throw atFields(asProblem(failure));
  });
}

/** The server names the fields of the form within the candidate's changes. */
function atFields(problem: Problem): Problem {
  const details = problem.details.map(({ path, message }) => ({ path: path.replace(/^changes\./, ""), message }));
  const { status, code, message, requestId, retryAfterMs } = problem;
  return new Problem({ status, code, message, details, requestId, retryAfterMs });
}
