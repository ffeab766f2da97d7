import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../../api/use-session.ts";
import { plural } from "../../../lib/format.ts";
import { QueryPart } from "../../../ui/query-part.tsx";
import { Time } from "../../../ui/time.tsx";
import { useVersions } from "../queries.ts";
import type { Agent, AgentVersion } from "../records.ts";
import type { AgentSearch } from "../search.ts";
import { VersionDiff } from "./version-diff.tsx";
import { fieldLabel } from "./field-labels.ts";

/** What an agent was after each of its changes, newest first, and how one differs from an earlier one. */
export default function Versions({ agent, search }: { readonly agent: Agent; readonly search: AgentSearch }) {
  const query = useVersions(agent.id);
  const version = search.version ?? agent.version;
  return (
    <QueryPart query={query} rows={8}>
      {(versions) => (
        <div className="grid min-h-0 flex-1 grid-cols-[17.5rem_minmax(0,1fr)] max-md:grid-cols-1 max-md:content-start">
          <nav
            aria-label="Versions"
            className="border-e border-line max-md:max-h-64 max-md:overflow-y-auto max-md:border-e-0 max-md:border-b"
          >
            {versions.map((each) => (
              <VersionLink key={each.version} version={each} isOpen={each.version === version} />
            ))}
          </nav>
          <VersionDiff
            key={version}
            agent={agent}
            version={version}
            against={search.against ?? version - 1}
            versions={versions}
          />
        </div>
      )}
    </QueryPart>
  );
}

function VersionLink({
  version: { agent_id: id, ...version },
  isOpen,
}: {
  readonly version: AgentVersion;
  readonly isOpen: boolean;
}) {
  const { slug } = useWorkspace();
  const [first, ...others] = version.changed.map(fieldLabel);
  const changed =
    version.version === 1
      ? "Created"
      : others.length > 2
        ? `${first} and ${plural(others.length, "more", "more")}`
        : [first, ...others].join(", ");
  return (
    <Link
      to="/w/$workspace/agents/$id"
      params={{ workspace: slug, id }}
      search={{ tab: "versions", version: version.version }}
      aria-current={isOpen ? "true" : undefined}
      className="row edged flex min-h-14 flex-col justify-center py-2 pe-page hover:bg-raised current:marked"
    >
      <span className="flex items-baseline justify-between gap-2">
        <span className="font-medium">Version {version.version}</span>
        <span className="text-small text-ink-3">
          <Time at={version.created_at} />
        </span>
      </span>
      <span className="truncate text-small text-ink-3">{changed}</span>
    </Link>
  );
}
