import { shortId } from "../../lib/format.ts";
import { useAgents, useTeams } from "../agents/queries.ts";
import type { Template } from "./records.ts";

/** The agent or team that gets the tasks. */
export function AssigneeName({ of }: { readonly of: Template }) {
  const agents = useAgents().data;
  const teams = useTeams().data;
  const id = of.assigned_agent_id ?? of.assigned_team_id;
  if (id === null) return null;
  const name = [...(agents ?? []), ...(teams ?? [])].find((each) => each.id === id)?.name;
  return <bdi className="block truncate">{name ?? shortId(id)}</bdi>;
}
