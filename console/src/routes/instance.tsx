import { useSearch } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { ErasureList } from "../features/instance/erasure-list.tsx";
import { ProcessList } from "../features/instance/process-list.tsx";
import { INSTANCE_PATH, useTenants } from "../features/instance/queries.ts";
import { QueueList } from "../features/instance/queue-list.tsx";
import { TENANT_ORDERS, readInstanceSearch } from "../features/instance/search.ts";
import { TENANT_COLUMNS } from "../features/instance/tenant-columns.tsx";
import { useIsOperator } from "../features/workspace/queries.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { usePageNavigate } from "../lib/use-page-navigate.ts";
import { FilterBar, FilterButton } from "../ui/filters.tsx";
import { Menu, MenuChoice } from "../ui/menu.tsx";
import { Page } from "../ui/page.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty, LoadingRows } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";

const FROM = "/w/$workspace/instance";
const ORDER_LABELS = {
  load: "Load",
  cost: "Cost today",
  storage: "Storage",
  failures: "Failures today",
  newest: "Newest",
} as const;

/** The whole instance, for owners of its first workspace. */
export function InstancePage() {
  const { slug } = useWorkspace();
  const { tab } = readInstanceSearch(useSearch({ from: FROM }));
  const isOperator = useIsOperator();
  const link = { to: FROM, params: { workspace: slug } } as const;
  const tabs = [
    { key: "workspaces", label: "Workspaces", link },
    { key: "processes", label: "Processes", link: { ...link, search: { tab: "processes" } } },
    { key: "erasures", label: "Erasures", link: { ...link, search: { tab: "erasures" } } },
  ] as const;
  return (
    <Page title="Instance" below={<Tabs label="Instance" tabs={tabs} current={tab ?? "workspaces"} />}>
      {isOperator === undefined ? (
        <LoadingRows />
      ) : !isOperator ? (
        <NotOperator />
      ) : tab === "processes" ? (
        <Processes />
      ) : tab === "erasures" ? (
        <Erasures />
      ) : (
        <Tenants />
      )}
    </Page>
  );
}

function NotOperator() {
  const blockedBy = useBlockedBy("owner");
  return (
    <Empty title="Only for operators">
      {blockedBy} Owners of the instance's first workspace operate it, in that workspace.
    </Empty>
  );
}

function Tenants() {
  const { order } = readInstanceSearch(useSearch({ from: FROM }));
  const navigate = usePageNavigate({ from: FROM });
  const pages = useTenants(order);
  useApiCalls([
    {
      title: "List workspaces",
      method: "GET",
      path: `${INSTANCE_PATH}/tenants?order=${order ?? "load"}`,
      command: `ops tenants --order ${order ?? "load"}`,
    },
    {
      title: "Hold a workspace",
      method: "PATCH",
      path: `${INSTANCE_PATH}/workspaces/<workspace id>`,
      body: { held: true },
      command: "ops hold <slug>",
    },
  ]);
  return (
    <>
      <FilterBar label="Order workspaces">
        <Menu
          align="start"
          trigger={<FilterButton label="Order" value={order === undefined ? "" : ORDER_LABELS[order]} />}
        >
          <MenuChoice
            value={order ?? "load"}
            options={TENANT_ORDERS.map((value) => ({ value, label: ORDER_LABELS[value] }))}
            onChange={(value) =>
              void navigate({ search: (before) => ({ ...before, order: value === "load" ? undefined : value }) })
            }
          />
        </Menu>
      </FilterBar>
      <RecordList label="Workspaces" pages={pages} columns={TENANT_COLUMNS} empty={<Empty title="No workspaces" />} />
    </>
  );
}

function Processes() {
  useApiCalls([
    { title: "List processes", method: "GET", path: `${INSTANCE_PATH}/processes`, command: "ops processes" },
    { title: "Count jobs", method: "GET", path: `${INSTANCE_PATH}/queues`, command: "ops queues" },
    { title: "Read the log level", method: "GET", path: `${INSTANCE_PATH}/log-level`, command: "ops log-level" },
    {
      title: "Set the log level",
      method: "PUT",
      path: `${INSTANCE_PATH}/log-level`,
      body: { level: "debug", minutes: 10, process: null },
      command: "ops log-level debug --for 10m",
    },
  ]);
  return (
    <div className="flex flex-col gap-6 px-page py-4">
      <ProcessList />
      <QueueList />
    </div>
  );
}

function Erasures() {
  useApiCalls([
    { title: "List erasures", method: "GET", path: `${INSTANCE_PATH}/erasures`, command: "ops erasures" },
    {
      title: "Erase a person",
      method: "DELETE",
      path: `${INSTANCE_PATH}/people?email=<address>&confirm=<address>`,
      command: "erase --person <address>",
    },
  ]);
  return (
    <div className="px-page py-4">
      <ErasureList />
    </div>
  );
}
