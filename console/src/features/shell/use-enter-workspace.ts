import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { slugOf } from "../../lib/workspaces.ts";
import type { WorkspaceName } from "../../lib/workspaces.ts";

/** Leads to another workspace of the person, in this tab. */
export function useEnterWorkspace(): (workspace: WorkspaceName) => Promise<void> {
  const navigate = useNavigate();
  const client = useQueryClient();
  return async (workspace) => {
    await navigate({ to: "/w/$workspace", params: { workspace: slugOf(workspace) } });
    // What is cached is of the workspace before; what the new page fetches already is fetched again.
    await client.resetQueries();
  };
}
