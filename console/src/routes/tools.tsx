import { Link, useSearch } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../features/api-drawer/calls.ts";
import { useBuiltInTools, useCustomToolList } from "../features/tools/queries.ts";
import { NEW_TOOL } from "../features/tools/search.ts";
import { BuiltInTools, CustomTools } from "../features/tools/tool-lists.tsx";
import { NewToolSheet, ToolSheet } from "../features/tools/tool-sheet.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Page } from "../ui/page.tsx";
import { PagedList } from "../ui/paged-list.tsx";
import { ErrorState, LoadingRows } from "../ui/states.tsx";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

/** What agents can use: the tools of the service, and HTTP endpoints of the workspace. */
export function ToolsPage() {
  const { tool: opened } = useSearch({ from: "/w/$workspace/tools" });
  const navigate = usePageNavigate({ from: "/w/$workspace/tools" });
  const blockedBy = useBlockedBy("admin");
  const close = () => void navigate({ search: {} });
  useApiCalls([
    { title: "List custom tools", method: "GET", path: "/console/api/tools", command: "tools list" },
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
    <Page title="Tools" actions={<NewTool />}>
      <Lists />
      {opened !== undefined && opened !== NEW_TOOL && <ToolSheet key={opened} id={opened} onClose={close} />}
      {opened === NEW_TOOL && blockedBy === undefined && (
        <NewToolSheet onMade={(id) => void navigate({ search: { tool: id }, replace: true })} onClose={close} />
      )}
    </Page>
  );
}

function Lists() {
  const builtIn = useBuiltInTools();
  const custom = useCustomToolList();
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
  return (
    <>
      <Heading>Custom</Heading>
      <PagedList
        pages={custom}
        empty={
          <p className="border-b border-line px-6 py-4 text-ink-2 max-sm:px-4">
            None yet. A custom tool is an HTTP endpoint that agents can call, such as your own API.
          </p>
        }
      >
        {(tools) => <CustomTools tools={tools} />}
      </PagedList>
      <Heading>Built in</Heading>
      <BuiltInTools tools={builtIn.data} />
    </>
  );
}

function Heading({ children }: { readonly children: string }) {
  return <h2 className="border-b border-line px-6 pt-5 pb-2 text-h3 font-semibold max-sm:px-4">{children}</h2>;
}

function NewTool() {
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("admin");
  if (blockedBy !== undefined) {
    return (
      <Button look="primary" icon={PlusIcon} blockedBy={blockedBy}>
        New tool
      </Button>
    );
  }
  return (
    <Link
      to="/w/$workspace/tools"
      params={{ workspace: slug }}
      search={{ tool: NEW_TOOL }}
      className={buttonClass({ look: "primary" })}
    >
      <PlusIcon className="-ms-0.5" />
      New tool
    </Link>
  );
}
