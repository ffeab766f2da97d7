import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { RunList } from "../features/runs/run-list.tsx";
import { useHasOpenRuns } from "../features/runs/stop-all.ts";
import { StopRuns } from "../features/runs/stop-runs.tsx";
import { ConfigTab } from "../features/teams/config-tab.tsx";
import { useTeamDraft } from "../features/teams/draft.ts";
import type { TeamDraft } from "../features/teams/draft.ts";
import { MemoryTab } from "../features/teams/memory-tab.tsx";
import { MissingAgents } from "../features/teams/missing-agents.tsx";
import { isDraft, teamPath, useTeam } from "../features/teams/queries.ts";
import type { Team } from "../features/teams/queries.ts";
import { RunTeam } from "../features/teams/run-team.tsx";
import { readTeamSearch } from "../features/teams/search.ts";
import type { TeamSearch } from "../features/teams/search.ts";
import { TeamMenu } from "../features/teams/team-menu.tsx";
import { UsedByTab } from "../features/teams/used-by-tab.tsx";
import { BackLink } from "../ui/back-link.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { PlayIcon } from "../ui/icons.ts";
import { showToast, undoWith } from "../ui/messages.ts";
import { Page } from "../ui/page.tsx";
import { PendingPage } from "../ui/pending-page.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

const LIST = { to: "/w/$workspace/teams", label: "Teams" } as const;
/** One team: its config, its runs, what it remembers, and what uses it. */
export function TeamPage() {
  const { id } = useParams({ from: "/w/$workspace/teams/$id" });
  const { data, error, refetch } = useTeam(id);
  if (data !== undefined) return <LoadedTeam key={data.id} team={data} />;
  return <PendingPage noun="Team" list={LIST} error={error} onRetry={() => void refetch()} />;
}

function LoadedTeam({ team }: { readonly team: Team }) {
  const search = readTeamSearch(useSearch({ from: "/w/$workspace/teams/$id" }));
  const navigate = usePageNavigate({ from: "/w/$workspace/teams/$id" });
  const draft = useTeamDraft(team);
  const blockedBy = useBlockedBy("member");
  useTeamCalls(team, draft);
  return (
    <Page
      title={team.name}
      above={<BackLink {...LIST} />}
      beside={isDraft(team) && <span className="text-small text-waiting">Draft, cannot run</span>}
      actions={<Actions team={team} draft={draft} isEditing={search.tab === undefined} />}
      below={<TeamTabs team={team} search={search} isDirty={draft.isDirty} />}
    >
      <MissingAgents team={team} />
      <Tab team={team} draft={draft} search={search} />
      {blockedBy === undefined && search.run === "new" && !isDraft(team) && (
        <RunTeam
          team={team}
          onClose={() => void navigate({ search: (before) => ({ ...before, run: undefined }), replace: true })}
        />
      )}
    </Page>
  );
}

function Tab({ team, draft, search }: { readonly team: Team; readonly draft: TeamDraft; readonly search: TeamSearch }) {
  switch (search.tab) {
    case undefined:
      return <ConfigTab draft={draft} isJson={search.view === "json"} />;
    case "runs":
      return <RunsTab team={team} />;
    case "memory":
      return <MemoryTab team={team} />;
    case "used-by":
      return <UsedByTab team={team} />;
  }
}

/** One primary action: saving beside a form with unsaved changes, running otherwise. */
function Actions({
  team,
  draft,
  isEditing,
}: {
  readonly team: Team;
  readonly draft: TeamDraft;
  readonly isEditing: boolean;
}) {
  const { isDirty, isSaving, fault, save, discard } = draft;
  const canSave = isEditing && (isDirty || fault !== undefined);
  const blockedBy = useBlockedBy("member");
  const cannotRun = blockedBy ?? (isDraft(team) ? "A draft cannot run: its config names no agents." : undefined);
  const worker = { kind: "team", id: team.id, name: team.name } as const;
  const hasOpenRuns = useHasOpenRuns(worker);
  const look = canSave ? "plain" : "primary";

  function drop(): void {
    const undo = discard();
    showToast("Changes discarded.", undo && undoWith(undo));
  }

  return (
    <>
      {canSave && (
        <>
          <span className="text-small text-ink-3 max-md:sr-only">Not saved</span>
          <Button look="quiet" onClick={drop}>
            Discard
          </Button>
          <Button look="primary" isBusy={isSaving} blockedBy={blockedBy ?? fault} onClick={() => void save()}>
            Save team
          </Button>
        </>
      )}
      {hasOpenRuns === true && <StopRuns worker={worker} />}
      {cannotRun !== undefined ? (
        <Button look={look} icon={PlayIcon} blockedBy={cannotRun}>
          Run team
        </Button>
      ) : (
        <Link
          to="."
          search={(before) => ({ ...before, run: "new" as const })}
          title={isDirty ? "Runs the team as it is saved" : undefined}
          className={buttonClass({ look })}
        >
          <PlayIcon className="-ms-0.5" />
          Run team
        </Link>
      )}
      <TeamMenu team={team} />
    </>
  );
}

function TeamTabs({
  team,
  search,
  isDirty,
}: {
  readonly team: Team;
  readonly search: TeamSearch;
  readonly isDirty: boolean;
}) {
  const { slug } = useWorkspace();
  const tab = (key: TeamSearch["tab"], label: string) => ({
    key: key ?? "config",
    label,
    link: {
      to: "/w/$workspace/teams/$id" as const,
      params: { workspace: slug, id: team.id },
      search: { tab: key },
    },
  });
  const config = tab(undefined, isDirty ? "Config (unsaved)" : "Config");
  const tabs = [config, tab("runs", "Runs"), tab("memory", "Memory"), tab("used-by", "Used by")];
  return <Tabs label="Team" tabs={tabs} current={search.tab ?? "config"} />;
}

function RunsTab({ team }: { readonly team: Team }) {
  return <RunList search={{ team: [team.id] }} empty="Runs of this team are listed here." />;
}

function useTeamCalls(team: Team, { design }: TeamDraft): void {
  useApiCalls([
    { title: "Read this team", method: "GET", path: teamPath(team.id), command: `teams get ${team.id}` },
    { title: "Save it", method: "PATCH", path: teamPath(team.id), body: { config: design.config } },
    {
      title: "Run it",
      method: "POST",
      path: "/functions/v1/api-runs",
      body: { team_id: team.id, input_task: "Write about rain." },
      command: `teams run ${team.id} --input "Write about rain." --watch`,
    },
  ]);
}
