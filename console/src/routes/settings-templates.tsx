import { useNavigate, useSearch } from "@tanstack/react-router";
import { useApiCalls } from "../features/api-drawer/calls.ts";
import { useTemplates } from "../features/saved/queries.ts";
import type { Template } from "../features/saved/queries.ts";
import { NewSaved, SavedName } from "../features/saved/saved-name.tsx";
import { NEW_SAVED } from "../features/saved/search.ts";
import { TemplateDialog } from "../features/saved/template-dialog.tsx";
import { TabBar } from "../features/settings/tab-bar.tsx";
import { curlLine } from "../lib/curl-line.ts";
import { Empty, ErrorState, LoadingRows } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

const TAB = "/w/$workspace/settings/templates";
const COLUMNS: readonly Column<Template>[] = [
  { head: "Name", cell: ({ id, name }) => <SavedName to={TAB} id={id} name={name} />, width: "w-64 max-sm:w-auto" },
  { head: "Type", cell: ({ type }) => <span className="text-ink-2">{type}</span>, width: "w-28" },
  {
    head: "Template",
    cell: ({ body }) => <span className="block truncate font-mono text-small text-ink-2">{body}</span>,
    from: "sm",
  },
  { head: "Changed", cell: ({ updated_at: at }) => <Time at={at} />, from: "md", width: "w-36" },
];

const EXAMPLE = { name: "Memo", type: "Markdown", body: "# {{task_title}}\n\n{{task_result}}" };

/** The output templates that agents share. */
export function TemplateSettings() {
  const { open } = useSearch({ from: TAB });
  const navigate = useNavigate();
  const { data, error, refetch } = useTemplates();
  useApiCalls([
    { title: "List output templates", method: "GET", path: "/console/api/output-templates" },
    {
      title: "Save a template",
      method: "POST",
      path: "/console/api/output-templates",
      body: EXAMPLE,
    },
  ]);
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const template = data?.find(({ id }) => id === open);
  return (
    <>
      <TabBar text="How results are written. A change counts for runs that start after it.">
        <NewSaved to={TAB}>New template</NewSaved>
      </TabBar>
      {data === undefined ? (
        <LoadingRows rows={4} />
      ) : data.length === 0 ? (
        <Empty title="No templates yet" command={curlLine("/console/api/output-templates", EXAMPLE)}>
          A template puts an agent's result into a form that is always the same.
        </Empty>
      ) : (
        <Table label="Output templates" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
      )}
      {(template !== undefined || open === NEW_SAVED) && (
        <TemplateDialog key={open} template={template} onClose={() => void navigate({ to: ".", search: {} })} />
      )}
    </>
  );
}
