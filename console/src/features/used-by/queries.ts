import { useQuery } from "@tanstack/react-query";
import { getAgentUsedBy } from "#client/gen/operations/agents.ts";
import { getTeamUsedBy } from "#client/gen/operations/teams.ts";
import { call } from "../../api/client.ts";
import type { components } from "#client/gen/schema.ts";

/** The records that reference an agent or a team, and its published endpoints. */
export type UsedBy = components["schemas"]["UsedBy"];
/** A record that names an agent or a team. */
export type UsagePlace = components["schemas"]["UsagePlace"];

/** An agent or a team. */
export interface UsedThing {
  readonly kind: "agents" | "teams";
  readonly id: string;
}

/** The URL of what names an agent or a team. */
export function usedByPath({ kind, id }: UsedThing): string {
  return `/console/api/${kind}/${id}/used-by`;
}

/** What names an agent or a team. */
export function useUsedBy(thing: UsedThing) {
  const of = { id: thing.id };
  return useQuery({
    queryKey: ["used-by", thing.id],
    queryFn: () => (thing.kind === "agents" ? call(getAgentUsedBy)(of) : call(getTeamUsedBy)(of)),
  });
}
