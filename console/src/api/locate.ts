import { fetchJson } from "./fetch-json.ts";
import { asProblem } from "./problem.ts";

/** The workspace, among the person's own, that has this task or team run; undefined when none has. */
export async function locate(id: string): Promise<string | undefined> {
  try {
    const found = await fetchJson<{ readonly workspace_slug: string }>(`/auth/locate?id=${encodeURIComponent(id)}`);
    return found.workspace_slug;
  } catch (error) {
    if (asProblem(error).status === 404) return undefined;
    throw error;
  }
}
