import { AnswerLinks } from "../features/questions/links.tsx";
import { useApiCalls } from "../lib/api-calls.ts";
import { DeleteWorkspace } from "../features/settings/delete-workspace.tsx";
import { Quotas } from "../features/settings/quotas.tsx";
import { WorkspaceForm } from "../features/settings/workspace-form.tsx";
import { PauseSwitch } from "../features/workspace/pause-switch.tsx";
import { useWorkspaceRecord } from "../features/workspace/queries.ts";
import { Section } from "../ui/section.tsx";
import { QueryPart } from "../ui/query-part.tsx";

/** The workspace itself: its name, its switches, what it keeps, and its end. */
export function WorkspaceSettings() {
  const query = useWorkspaceRecord();
  useApiCalls([
    { title: "Read the workspace", method: "GET", path: "/console/api/workspace" },
    {
      title: "Rename it",
      method: "PATCH",
      path: "/console/api/workspace",
      body: { name: query.data?.name ?? "Support" },
    },
  ]);
  return (
    <QueryPart query={query}>
      {(data) => (
        <div className="flex max-w-[35rem] flex-col gap-8 p-6 max-sm:p-4">
          <WorkspaceForm key={data.updated_at} workspace={data} />
          <Section title="New work" aside={<PauseSwitch />}>
            <p className="py-3 text-ink-2">
              {data.paused
                ? "Paused: queued and new runs wait. Running work continues."
                : "Runs start as soon as a process is free. While paused they wait; running work continues."}
            </p>
          </Section>
          <AnswerLinks />
          <Quotas plan={data.plan} quotas={data.quotas} />
          <DeleteWorkspace name={data.name} />
        </div>
      )}
    </QueryPart>
  );
}
