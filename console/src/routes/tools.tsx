import { useSearch } from "@tanstack/react-router";
import { useBlockedBy } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { toolsPath, useBuiltInTools, useCustomToolList } from "../features/tools/queries.ts";
import { NEW_TOOL } from "../features/tools/search.ts";
import { BuiltInTools, CustomTools } from "../features/tools/tool-lists.tsx";
import { NewToolSheet, ToolSheet } from "../features/tools/tool-sheet.tsx";
import { Page } from "../ui/page.tsx";
import { OpenLink } from "../ui/open-link.tsx";
import { PagedList } from "../ui/paged-list.tsx";
import { ErrorState, LoadingRows } from "../ui/states.tsx";
import { TextSearch } from "../ui/text-search.tsx";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

const NEW = { tool: NEW_TOOL };

/** What agents can use: the tools of the service, and HTTP endpoints of the workspace. */
export function ToolsPage() {
  const { tool: opened, q } = useSearch({ from: "/w/$workspace/tools" });
  const navigate = usePageNavigate({ from: "/w/$workspace/tools" });
  const blockedBy = useBlockedBy("admin");
  const close = () => void navigate({ search: (before) => ({ ...before, tool: undefined }) });
  useApiCalls([
    { title: "List custom tools", method: "GET", path: toolsPath(q), command: "tools list" },
    {
      title: "Create a tool",
      method: "POST",
      path: "/console/api/tools",
      body: {
        name: "find_order",
        description: "Finds an order by its number.",
        method: "GET",
        url: "https://example.com/orders/{number}",
        parameters: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
      },
    },
    { title: "List built-in tools", method: "GET", path: "/console/api/tools/built-in" },
  ]);
  return (
    <Page
      title="Tools"
      actions={
        <OpenLink needs="admin" search={NEW}>
          New tool
        </OpenLink>
      }
    >
      <TextSearch label="Name or id" q={q} />
      <Lists q={q} />
      {opened !== undefined && opened !== NEW_TOOL && <ToolSheet key={opened} id={opened} onClose={close} />}
      {opened === NEW_TOOL && blockedBy === undefined && (
        <NewToolSheet
          onMade={(id) => void navigate({ search: (before) => ({ ...before, tool: id }), replace: true })}
          onClose={close}
        />
      )}
    </Page>
  );
}

function Lists({ q }: { readonly q: string | undefined }) {
  const builtIn = useBuiltInTools();
  const custom = useCustomToolList(q);
  if (custom.rows === undefined || builtIn.data === undefined) {
    const error = custom.error ?? builtIn.error;
    if (error === null) return <LoadingRows />;
    return (
      <ErrorState
        error={error}
        onRetry={() => {
          custom.refetch();
          void builtIn.refetch();
        }}
      />
    );
  }
  const text = q?.toLowerCase() ?? "";
  const shown = builtIn.data.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(text));
  return (
    <>
      <Heading>Custom</Heading>
      <PagedList
        pages={custom}
        empty={
          <p className="border-b border-line px-page py-4 text-ink-2">
            {q === undefined
              ? "None yet. A custom tool is an HTTP endpoint that agents can call, such as your own API."
              : "No custom tool matches."}
          </p>
        }
      >
        {(tools) => <CustomTools tools={tools} />}
      </PagedList>
      <Heading>Built in</Heading>
      {shown.length === 0 ? (
        <p className="px-page py-4 text-ink-2">No built-in tool matches.</p>
      ) : (
        <BuiltInTools tools={shown} />
      )}
    </>
  );
}

function Heading({ children }: { readonly children: string }) {
  return <h2 className="border-b border-line px-page pt-5 pb-2 text-h3 font-semibold">{children}</h2>;
}
