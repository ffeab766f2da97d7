import { Link, useSearch } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useNames } from "../features/pickers/records.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { ImportTeam } from "../features/teams/import-team.tsx";
import { MODE_LABELS } from "../features/teams/modes.tsx";
import { TEAM_MODES } from "../features/used-by/team-mode.ts";
import { NewTeam } from "../features/teams/new-team.tsx";
import { teamsPath, useTeamPages } from "../features/teams/queries.ts";
import { readTeamsSearch } from "../features/teams/search.ts";
import type { TeamsSearch } from "../features/teams/search.ts";
import { TEAM_COLUMNS } from "../features/teams/team-columns.tsx";
import { buttonClass } from "../ui/button.tsx";
import { ClearFilters, FilterBar, FilterChoice, TextFilter } from "../ui/filters.tsx";
import { Page } from "../ui/page.tsx";
import { OpenLink } from "../ui/open-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";
import { curlLine } from "../lib/curl-line.ts";
import { loadPart } from "../lib/load-part.ts";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

const TeamTemplates = lazy(() => loadPart(() => import("../features/templates/team-templates.tsx")));

const NEW = { add: "team" };
const IMPORT = { add: "import" };

/** A team of one agent; without an agent of this workspace it has a placeholder. */
function exampleOf(agentId = "<agent id>") {
  const steps = [{ agent_id: agentId, step_name: "Draft", instructions: "Write a draft." }];
  return { name: "Writers", mode: "pipeline", config: { steps } };
}

/** All teams, with how each of them works. */
export function TeamsPage() {
  const search = readTeamsSearch(useSearch({ from: "/w/$workspace/teams" }));
  const navigate = usePageNavigate({ from: "/w/$workspace/teams" });
  const teams = useTeamPages(search);
  const blockedBy = useBlockedBy("member");
  const close = () => void navigate({ search: (before) => ({ ...before, add: undefined, template: undefined }) });
  const lookAt = (template: string) =>
    void navigate({ search: (before) => ({ ...before, add: "template", template }), replace: true });
  const example = exampleOf(teams.rows?.flatMap(({ members }) => members)[0]?.agent_id);
  useApiCalls([
    { title: "List teams", method: "GET", path: teamsPath(search), command: "teams list" },
    {
      title: "Create a team",
      method: "POST",
      path: "/functions/v1/api-teams",
      body: example,
      command: `teams create --name Writers --mode pipeline --config - <<'END'\n${JSON.stringify(example.config)}\nEND`,
    },
  ]);
  return (
    <Page
      title="Teams"
      actions={
        <>
          <OpenLink needs="member" search={IMPORT} look="plain">
            Import
          </OpenLink>
          <NewTeamLink />
        </>
      }
    >
      <Filters search={search} />
      <RecordList
        label="Teams"
        pages={teams}
        columns={TEAM_COLUMNS}
        noMatch={isFiltered(search) && "No team matches these filters"}
        empty={<NoTeams />}
      />
      {blockedBy === undefined && search.add === "team" && (
        <NewTeam onClose={close} onTemplates={() => lookAt("all")} />
      )}
      {blockedBy === undefined && search.add === "template" && (
        <Suspense>
          <TeamTemplates chosen={search.template ?? "all"} onChoose={lookAt} onClose={close} />
        </Suspense>
      )}
      {blockedBy === undefined && search.add === "import" && <ImportTeam onClose={close} />}
    </Page>
  );
}

function NewTeamLink() {
  return (
    <OpenLink needs="member" search={NEW}>
      New team
    </OpenLink>
  );
}

function Filters({ search }: { readonly search: TeamsSearch }) {
  const navigate = usePageNavigate({ from: "/w/$workspace/teams" });
  const set = (change: { readonly [K in keyof TeamsSearch]?: TeamsSearch[K] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  return (
    <FilterBar label="Filter teams">
      <TextFilter
        label="Name or id"
        value={search.q ?? ""}
        onChange={(text) => set({ q: text === "" ? undefined : text })}
      />
      <FilterChoice
        label="Mode"
        all="Any mode"
        value={search.mode}
        options={TEAM_MODES}
        wordsOf={(mode) => MODE_LABELS[mode].label}
        onChange={(mode) => set({ mode })}
      />
      {isFiltered(search) && <ClearFilters onClear={() => set({ q: undefined, mode: undefined })} />}
    </FilterBar>
  );
}

function NoTeams() {
  const { slug } = useWorkspace();
  const agents = useNames("agent")?.names;
  const params = { workspace: slug };
  if (agents?.length === 0) {
    return (
      <Empty
        title="A team needs agents"
        action={
          <Link to="/w/$workspace/agents/new" params={params} className={buttonClass({ look: "primary" })}>
            New agent
          </Link>
        }
      >
        A team is made of agents that work together. Create the first agent, then come back.
      </Empty>
    );
  }
  return (
    <Empty title="No teams yet" action={<NewTeamLink />} command={curlLine("/functions/v1/api-teams", exampleOf())}>
      Agents that work together: in steps, under an orchestrator that hands out the work, or in a discussion.
    </Empty>
  );
}

function isFiltered({ q, mode }: TeamsSearch): boolean {
  return q !== undefined || mode !== undefined;
}
