import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useBlockedBy } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { useAllKeys, useServiceAccount, useServiceAccounts } from "../features/settings/queries.ts";
import type { ServiceAccount } from "../features/settings/queries.ts";
import { ROLE_NAMES } from "../features/settings/roles.ts";
import { ServiceAccountDialog } from "../features/settings/service-account-dialog.tsx";
import { TabBar } from "../features/settings/tab-bar.tsx";
import { plural } from "../lib/format.ts";
import { visibleText } from "../lib/visible-text.ts";
import { OpenLink } from "../ui/open-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { ROW_LINK } from "../ui/row-link.ts";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { TextSearch } from "../ui/text-search.tsx";
import { Time } from "../ui/time.tsx";

const TAB = "/w/$workspace/settings/service-accounts";
const ADD = { add: "yes" };
const EXAMPLE = { name: "Deploys", role: "member" };

const COLUMNS: readonly Column<ServiceAccount>[] = [
  { head: "Name", cell: (account) => <AccountName account={account} /> },
  { head: "Role", cell: ({ role }) => ROLE_NAMES[role], width: "w-28" },
  { head: "Signs in by", cell: (account) => <SignsInBy account={account} />, from: "sm", width: "w-48" },
  { head: "Since", cell: ({ created_at: at }) => <Time at={at} />, from: "md", width: "w-36" },
];

function AccountName({ account: { id, name } }: { readonly account: ServiceAccount }) {
  return (
    <Link to="." search={(before) => ({ ...before, account: id })} data-row dir="auto" className={ROW_LINK}>
      {visibleText(name)}
    </Link>
  );
}

/** How programs prove that they are the account. */
function SignsInBy({ account: { id, client } }: { readonly account: ServiceAccount }) {
  const keys = useAllKeys().data?.filter(({ created_by: by }) => by === id) ?? [];
  const ways = [
    ...(client === null ? [] : ["the provider's client"]),
    ...(keys.length === 0 ? [] : [plural(keys.length, "key")]),
  ];
  return ways.length === 0 ? <span className="text-ink-3">No key yet</span> : ways.join(", ");
}

/** The accounts of programs. */
export function ServiceAccountSettings() {
  const { add, q, account: shown } = useSearch({ from: TAB });
  const navigate = useNavigate();
  const accounts = useServiceAccounts(q);
  const edited = useServiceAccount(shown).data ?? undefined;
  const blockedBy = useBlockedBy("admin");
  useApiCalls([
    {
      title: "List service accounts",
      method: "GET",
      path: "/console/api/service-accounts",
      command: "service-accounts list",
    },
    { title: "Create a service account", method: "POST", path: "/console/api/service-accounts", body: EXAMPLE },
  ]);
  const close = () =>
    void navigate({ to: ".", search: (before) => ({ ...before, add: undefined, account: undefined }) });
  return (
    <>
      <TabBar text="Programs act as service accounts. Their keys stay when a person leaves.">
        <OpenLink needs="admin" search={ADD}>
          New service account
        </OpenLink>
      </TabBar>
      <TextSearch label="Name" q={q} />
      <RecordList
        label="Service accounts"
        pages={accounts}
        columns={COLUMNS}
        noMatch={q !== undefined && "No service account matches"}
        empty={
          <Empty title="No service accounts yet">
            A key of a person ends when the person leaves. A key of a service account stays.
          </Empty>
        }
      />
      {add === "yes" && blockedBy === undefined && <ServiceAccountDialog account={undefined} onClose={close} />}
      {shown !== undefined && edited !== undefined && (
        <ServiceAccountDialog key={edited.id} account={edited} onClose={close} />
      )}
    </>
  );
}
