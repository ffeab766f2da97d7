import { locateRecord } from "#client/gen/operations/accounts.ts";
import { call } from "./client.ts";
import { asProblem } from "./problem.ts";

/** The workspace, among the person's own, that has this task or team run; undefined when none has. */
export async function locate(id: string): Promise<string | undefined> {
  try {
    return (await call(locateRecord)({ id })).workspace_slug;
  } catch (error) {
    if (asProblem(error).status === 404) return undefined;
    throw error;
  }
}
