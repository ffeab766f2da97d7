import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";

const NO_TAGS: readonly string[] = [];

/** The tags of all agents; empty until they are loaded. */
export function useAgentTags(): readonly string[] {
  const { data } = useQuery({
    queryKey: ["agents", "tags"],
    queryFn: () => fetchJson<readonly string[]>("/console/api/agents/tags"),
  });
  return data ?? NO_TAGS;
}
