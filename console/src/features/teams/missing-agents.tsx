import type { Team } from "./queries.ts";
import { namedAgents } from "./named-agents.ts";

/** Warns that the team cannot run because its config names deleted agents. */
export function MissingAgents({ team }: { readonly team: Team }) {
  const known = new Set(team.members.map(({ agent_id: id }) => id));
  const missing = namedAgents(team.config).filter((id) => !known.has(id));
  if (missing.length === 0) return null;
  return (
    <p role="status" className="mx-6 mt-4 rounded-panel bg-failed-soft px-4 py-3 max-sm:mx-4">
      <strong className="font-semibold text-failed">This team cannot run.</strong>{" "}
      {missing.length === 1 ? "An agent of its config was" : `${missing.length} agents of its config were`} deleted.
      Choose others in the config, then save the team.
    </p>
  );
}
