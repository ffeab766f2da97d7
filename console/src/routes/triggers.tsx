import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { PlannedFilters } from "../features/schedules/planned-filters.tsx";
import { isNarrowed, readPlannedSearch } from "../features/schedules/search.ts";
import { TriggerUrlDialog } from "../features/triggers/trigger-url-dialog.tsx";
import { triggersPath, useTriggers } from "../features/triggers/queries.ts";
import type { ShownTrigger } from "../features/triggers/records.ts";
import { TriggerForm } from "../features/triggers/trigger-form.tsx";
import { TRIGGER_COLUMNS } from "../features/triggers/trigger-columns.tsx";
import { curlLine } from "../lib/curl-line.ts";
import { Page } from "../ui/page.tsx";
import { OpenLink } from "../ui/open-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";

const FROM = "/w/$workspace/triggers";
const OPEN = { edit: "yes" };
const EXAMPLE = { name: "Returned orders", title: "Handle the return", assigned_agent_id: "<agent id>" };

/** The triggers: URLs whose requests become tasks. */
export function TriggersPage() {
  const search = readPlannedSearch(useSearch({ from: FROM }));
  const pages = useTriggers(search);
  const [created, setCreated] = useState<ShownTrigger>();
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const blockedBy = useBlockedBy("member");
  const open = (id: string) => navigate({ to: "/w/$workspace/triggers/$id", params: { workspace: slug, id } });
  useApiCalls([
    { title: "List triggers", method: "GET", path: triggersPath(search), command: "triggers list" },
    { title: "Create a trigger", method: "POST", path: "/console/api/triggers", body: EXAMPLE },
  ]);
  const add = (
    <OpenLink needs="member" search={OPEN}>
      New trigger
    </OpenLink>
  );
  return (
    <Page title="Triggers" actions={add}>
      <PlannedFilters search={search} />
      <RecordList
        label="Triggers"
        pages={pages}
        columns={TRIGGER_COLUMNS}
        noMatch={isNarrowed(search) && "No trigger matches these filters"}
        empty={
          <Empty title="No triggers yet" action={add} command={curlLine("/console/api/triggers", EXAMPLE)}>
            A trigger is a URL: what another program sends there becomes a task of an agent or a team.
          </Empty>
        }
      />
      {created !== undefined ? (
        <TriggerUrlDialog trigger={created} onClose={() => void open(created.id)} />
      ) : (
        search.edit !== undefined &&
        blockedBy === undefined && (
          <TriggerForm
            onCreated={setCreated}
            onClose={() => void navigate({ to: ".", search: (before) => ({ ...before, edit: undefined }) })}
          />
        )
      )}
    </Page>
  );
}
