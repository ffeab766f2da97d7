import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { Section, SectionEmpty, SectionRow } from "../../ui/section.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { useUsedBy } from "../used-by/queries.ts";
import { UsedByList } from "../used-by/used-by-list.tsx";
import { useNamesOf } from "../pickers/records.ts";
import { roleLabel } from "../used-by/member-roles.ts";
import type { Team } from "./queries.ts";

/** What starts this team or hears of it, and who works in it. */
export function UsedByTab({ team }: { readonly team: Team }) {
  return (
    <QueryPart query={useUsedBy({ kind: "teams", id: team.id })}>
      {(data) => (
        <div className="grid grid-cols-2 gap-x-10 gap-y-6 px-page py-5 max-md:grid-cols-1">
          <UsedByList usedBy={data} />
          <Agents team={team} />
        </div>
      )}
    </QueryPart>
  );
}

function Agents({ team }: { readonly team: Team }) {
  const { slug } = useWorkspace();
  const nameOf = useNamesOf(
    "agent",
    team.members.map(({ agent_id: agent }) => agent),
  );
  return (
    <Section
      title="Its agents"
      aside={
        <Link to="/w/$workspace/runs" params={{ workspace: slug }} search={{ team: [team.id] }} className="text-accent">
          All runs of this team
        </Link>
      }
    >
      {team.members.length === 0 && <SectionEmpty>The config names none.</SectionEmpty>}
      <ul>
        {team.members.map(({ id, agent_id: agent, role }) => (
          <SectionRow key={id} end={<span className="text-small">{roleLabel(team.mode, role)}</span>}>
            <Link
              to="/w/$workspace/agents/$id"
              params={{ workspace: slug, id: agent }}
              dir="auto"
              className="truncate font-medium text-accent hover:underline"
            >
              {nameOf(agent)}
            </Link>
          </SectionRow>
        ))}
      </ul>
    </Section>
  );
}
