import { useQuery } from "@tanstack/react-query";
import { getWorkspace } from "#client/gen/operations/workspaces.ts";
import { call } from "../../api/client.ts";

/** The workspace with its switches and quotas. */
export function useWorkspaceRecord() {
  return useQuery({
    queryKey: ["workspace"],
    queryFn: () => call(getWorkspace)(),
  });
}
