import { useQuery } from "@tanstack/react-query";
import { getWorkspace } from "#client/gen/operations/workspaces.ts";
import { call } from "../../api/client.ts";

/** How often a page looks whether what is held was released, which is not announced. */
const HELD_MS = 5_000;

/** The workspace with its switches and quotas. */
export function useWorkspaceRecord() {
  return useQuery({
    queryKey: ["workspace"],
    queryFn: () => call(getWorkspace)(),
    refetchInterval: ({ state: { data } }) => (data?.copy_held === true || (data && data.held_at !== null)) && HELD_MS,
  });
}

/** Whether the person operates the instance; undefined until that is known. */
export function useIsOperator(): boolean | undefined {
  const { data } = useWorkspaceRecord();
  return data && data.is_first && data.role === "owner";
}
