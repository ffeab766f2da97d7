import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useBlockedBy } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { ConnectedApps } from "../features/settings/connected-apps.tsx";
import { KeyActions } from "../features/settings/key-actions.tsx";
import { KeyDialog } from "../features/settings/key-dialog.tsx";
import { KeyEnd } from "../features/settings/key-end.tsx";
import { KeyEditDialog } from "../features/settings/key-edit-dialog.tsx";
import { limitsLine } from "../features/settings/key-limits.ts";
import { useAllServiceAccounts, useKey, useKeys } from "../features/settings/queries.ts";
import type { ApiKey } from "../features/settings/queries.ts";
import { TabBar } from "../features/settings/tab-bar.tsx";
import { visibleText } from "../lib/visible-text.ts";
import { OpenLink } from "../ui/open-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { ROW_LINK } from "../ui/row-link.ts";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { TextSearch } from "../ui/text-search.tsx";
import { Time } from "../ui/time.tsx";

/** What a key of each kind opens, in short. */
const KIND_NAMES = {
  envelope: "API",
  table: "Table API",
  mcp: "MCP",
  a2a: "A2A",
  "ag-ui": "AG-UI",
} as const satisfies Record<ApiKey["kind"], string>;

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    head: "Key",
    cell: (key) => <KeyName apiKey={key} />,
  },
  {
    head: "Access",
    cell: ({ kind, scopes }) => `${KIND_NAMES[kind]}, ${scopes.includes("write") ? "read and write" : "read only"}`,
    from: "md",
    width: "w-48",
  },
  {
    head: "Last used",
    cell: ({ last_used_at: at }) => (at === null ? <span className="text-ink-3">Never</span> : <Time at={at} />),
    from: "sm",
    width: "w-32",
  },
  {
    head: "Expires",
    cell: (key) => <KeyEnd apiKey={key} />,
    from: "sm",
    width: "w-32",
  },
  { head: "Action", cell: (key) => <KeyActions apiKey={key} />, align: "end", width: "w-44" },
];

function KeyName({ apiKey }: { readonly apiKey: ApiKey }) {
  const limits = limitsLine(apiKey);
  const owner = useAllServiceAccounts().data?.find(({ id }) => id === apiKey.service_account_id);
  return (
    <>
      <Link to="." search={(before) => ({ ...before, key: apiKey.id })} data-row dir="auto" className={ROW_LINK}>
        {visibleText(apiKey.label)}
      </Link>
      <span className="block truncate font-mono text-small text-ink-3">{apiKey.prefix}…</span>
      {owner !== undefined && <span className="block text-small text-ink-3">Of {visibleText(owner.name)}</span>}
      {limits !== undefined && <span className="block text-small text-ink-3">{limits}</span>}
    </>
  );
}

const ADD = { add: "yes" };

/** The keys with which programs use the workspace. */
export function KeySettings() {
  const { add, q, key: shown } = useSearch({ from: "/w/$workspace/settings/keys" });
  const navigate = useNavigate();
  const keys = useKeys(q);
  const edited = useKey(shown).data ?? undefined;
  const blockedBy = useBlockedBy("admin");
  useApiCalls([
    { title: "List keys", method: "GET", path: "/console/api/keys", command: "keys list" },
    {
      title: "Create a key",
      method: "POST",
      path: "/console/api/keys",
      body: { label: "Build server", kind: "envelope" },
    },
  ]);
  const close = () => void navigate({ to: ".", search: (before) => ({ ...before, add: undefined, key: undefined }) });
  return (
    <>
      <TabBar text="Programs use this workspace with keys. A key is shown once, when it is created.">
        <OpenLink needs="admin" search={ADD}>
          New key
        </OpenLink>
      </TabBar>
      <TextSearch label="Label or start of the key" q={q} />
      <RecordList
        label="API keys"
        pages={keys}
        columns={COLUMNS}
        noMatch={q !== undefined && "No key matches"}
        empty={<Empty title="No keys yet">A program needs a key to create agents, give tasks and read results.</Empty>}
      />
      <div className="px-6 pt-8 pb-6 max-sm:px-4">
        <ConnectedApps />
      </div>
      {add === "yes" && blockedBy === undefined && <KeyDialog onClose={close} />}
      {shown !== undefined && edited !== undefined && <KeyEditDialog key={edited.id} apiKey={edited} onClose={close} />}
    </>
  );
}
