import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { StateChip } from "../../ui/state.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import type { BuiltInTool, CustomTool } from "./records.ts";

const CUSTOM: readonly Column<CustomTool>[] = [
  { head: "Name", cell: (tool) => <CustomName tool={tool} /> },
  { head: "URL", cell: (tool) => <UrlCell tool={tool} />, from: "sm" },
  { head: "Changed", cell: ({ updated_at: at }) => <Time at={at} />, from: "md", width: "w-36" },
];
const BUILT_IN: readonly Column<BuiltInTool>[] = [
  { head: "Name", cell: (tool) => <BuiltInName tool={tool} />, width: "w-60 max-sm:w-auto" },
  { head: "What it does", cell: (tool) => <About tool={tool} />, from: "sm" },
  { head: "State", cell: (tool) => <Available tool={tool} />, width: "w-36 max-sm:w-32" },
];

/** The tools of the workspace, each a link to its editor. */
export function CustomTools({ tools }: { readonly tools: readonly CustomTool[] }) {
  return <Table label="Custom tools" columns={CUSTOM} rows={tools} keyOf={({ id }) => id} />;
}

/** The built-in tools; a tool with missing settings is shown, with what it lacks. */
export function BuiltInTools({ tools }: { readonly tools: readonly BuiltInTool[] }) {
  return <Table label="Built-in tools" columns={BUILT_IN} rows={tools} keyOf={({ name }) => name} />;
}

function CustomName({ tool }: { readonly tool: CustomTool }) {
  const { slug } = useWorkspace();
  return (
    <>
      <Link
        to="/w/$workspace/tools"
        params={{ workspace: slug }}
        search={(before) => ({ ...before, tool: tool.id })}
        data-row
        className={`${ROW_LINK} font-mono text-mono`}
      >
        {tool.name}
      </Link>
      <span dir="auto" className="block truncate text-small text-ink-3">
        {visibleText(tool.description)}
      </span>
    </>
  );
}

function UrlCell({ tool }: { readonly tool: CustomTool }) {
  return (
    <span className="block truncate font-mono text-small text-ink-2" title={tool.url}>
      {tool.method} {tool.url}
    </span>
  );
}

function BuiltInName({ tool }: { readonly tool: BuiltInTool }) {
  return (
    <>
      <span className="block truncate font-mono text-mono">{tool.name}</span>
      {tool.missing !== null && <span className="block text-small text-ink-2 sm:hidden">{tool.missing}</span>}
    </>
  );
}

function About({ tool }: { readonly tool: BuiltInTool }) {
  return (
    <>
      <span className="block text-ink-2">{tool.description}</span>
      {tool.missing !== null && <span className="block text-small text-ink">{tool.missing}</span>}
    </>
  );
}

function Available({ tool }: { readonly tool: BuiltInTool }) {
  return tool.available ? (
    <StateChip state="completed">Available</StateChip>
  ) : (
    <StateChip state="cancelled">Not set up</StateChip>
  );
}
