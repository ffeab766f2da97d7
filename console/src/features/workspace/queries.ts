import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "#client/gen/schema.ts";

type Workspace = components["schemas"]["WorkspaceDetails"];

/** The workspace with its switches and quotas. */
export function useWorkspaceRecord() {
  return useQuery({
    queryKey: ["workspace"],
    queryFn: () => fetchJson<Workspace>("/console/api/workspace"),
  });
}
