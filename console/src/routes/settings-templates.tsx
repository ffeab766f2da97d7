import { useNavigate, useSearch } from "@tanstack/react-router";
import { useApiCalls } from "../lib/api-calls.ts";
import { useTemplates } from "../features/saved/queries.ts";
import type { Template } from "../features/saved/queries.ts";
import { SavedName } from "../features/saved/saved-name.tsx";
import { NEW_SAVED } from "../features/saved/search.ts";
import { TemplateDialog } from "../features/saved/template-dialog.tsx";
import { TabBar } from "../features/settings/tab-bar.tsx";
import { curlLine } from "../lib/curl-line.ts";
import { OpenLink } from "../ui/open-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

const TAB = "/w/$workspace/settings/templates";
const NEW = { open: NEW_SAVED };
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
  const { pages, opened } = useTemplates(open);
  useApiCalls([
    { title: "List output templates", method: "GET", path: "/console/api/output-templates" },
    {
      title: "Save a template",
      method: "POST",
      path: "/console/api/output-templates",
      body: EXAMPLE,
    },
  ]);
  return (
    <>
      <TabBar text="How results are laid out. Changes apply to new runs.">
        <OpenLink needs="member" search={NEW}>
          New template
        </OpenLink>
      </TabBar>
      <RecordList
        label="Output templates"
        pages={pages}
        columns={COLUMNS}
        empty={
          <Empty title="No templates yet" command={curlLine("/console/api/output-templates", EXAMPLE)}>
            A template gives an agent's results the same form every time.
          </Empty>
        }
      />
      {(opened !== undefined || open === NEW_SAVED) && (
        <TemplateDialog key={open} template={opened} onClose={() => void navigate({ to: ".", search: {} })} />
      )}
    </>
  );
}
