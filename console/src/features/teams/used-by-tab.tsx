import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { fetchJson } from "../../api/fetch-json.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { useAgentName } from "./config/agents.tsx";
import { Empty, ErrorState, LoadingRows } from "../../ui/states.tsx";
import type { Team } from "./queries.ts";

const MAX_ROWS = 200;
/** What can start a team or listen to it, and where it is listed. */
const USERS = [
  { kind: "Schedule", path: "/console/api/schedules" },
  { kind: "Trigger", path: "/console/api/triggers" },
  { kind: "Webhook", path: "/functions/v1/api-hooks" },
] as const;

interface UserRow {
  readonly id: string;
  readonly name?: string;
  readonly target_url?: string;
  readonly assigned_team_id?: string | null;
  readonly team_id?: string | null;
}

interface User {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
}

/** What starts this team, what listens to it, and who works in it. */
export function UsedByTab({ team }: { readonly team: Team }) {
  const { slug } = useWorkspace();
  const nameOf = useAgentName();
  const { data, error, refetch } = useQuery({
    queryKey: ["team-users", team.id],
    queryFn: () => findUsers(team.id),
  });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingRows rows={4} />;
  return (
    <div className="grid grid-cols-2 gap-x-10 px-6 py-5 max-md:grid-cols-1 max-sm:px-4">
      <section>
        <h2 className="text-h2 font-semibold">Schedules, triggers and webhooks</h2>
        {data.length === 0 ? <p className="mt-2 text-ink-2">None names this team.</p> : <Rows rows={data} />}
      </section>
      <section className="max-md:mt-6">
        <h2 className="text-h2 font-semibold">Its agents</h2>
        {team.members.length === 0 ? (
          <Empty title="No agents yet">The config names none.</Empty>
        ) : (
          <Rows
            rows={team.members.map(({ id, agent_id: agent, role }) => ({ key: id, kind: role, name: nameOf(agent) }))}
          />
        )}
        <p className="mt-3 text-small text-ink-3">
          <Link
            to="/w/$workspace/runs"
            params={{ workspace: slug }}
            search={{ team: [team.id] }}
            className="text-accent"
          >
            All runs of this team
          </Link>
        </p>
      </section>
    </div>
  );
}

function Rows({ rows }: { readonly rows: readonly User[] }) {
  return (
    <ul className="mt-2">
      {rows.map(({ key, kind, name }) => (
        <li key={key} className="flex min-h-9 items-center gap-3 border-b border-line">
          <span className="w-28 shrink-0 text-ink-3 first-letter:uppercase">{kind}</span>
          <span dir="auto" className="truncate">
            {name}
          </span>
        </li>
      ))}
    </ul>
  );
}

async function findUsers(teamId: string): Promise<readonly User[]> {
  const lists = await Promise.all(
    USERS.map(async ({ kind, path }) => {
      const rows = await fetchJson<readonly UserRow[]>(`${path}?limit=${MAX_ROWS}`);
      return rows
        .filter(({ assigned_team_id: starts, team_id: hears }) => (starts ?? hears) === teamId)
        .map(({ id, name, target_url: url }) => ({ key: id, kind, name: name ?? url ?? id }));
    }),
  );
  return lists.flat();
}
