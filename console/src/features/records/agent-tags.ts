import { useQuery } from "@tanstack/react-query";
import { listAgentTags } from "#client/gen/operations/agents.ts";
import { call } from "../../api/client.ts";

const NO_TAGS: readonly string[] = [];

/** The tags of all agents; empty until they are loaded. */
export function useAgentTags(): readonly string[] {
  const { data } = useQuery({
    queryKey: ["agents", "tags"],
    queryFn: () => call(listAgentTags)(),
  });
  return data ?? NO_TAGS;
}
