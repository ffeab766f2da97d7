import { useNavigate, useSearch } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import type { ApiCall } from "../lib/api-calls.ts";
import { DeliveryList } from "../features/destinations/delivery-list.tsx";
import { HookForm } from "../features/destinations/hook-form.tsx";
import { HOOK_COLUMNS } from "../features/destinations/hook-columns.tsx";
import {
  HOOKS_PATH,
  ROUTES_PATH,
  deliveriesPath,
  useHooks,
  useRouteTypes,
  useRoutes,
} from "../features/destinations/queries.ts";
import { RouteForm } from "../features/destinations/route-form.tsx";
import { ROUTE_COLUMNS } from "../features/destinations/route-columns.tsx";
import { DESTINATION_TABS, readDestinationsSearch } from "../features/destinations/search.ts";
import type { DestinationsSearch } from "../features/destinations/search.ts";
import { Page } from "../ui/page.tsx";
import { OpenLink } from "../ui/open-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { TextSearch } from "../ui/text-search.tsx";
import { curlLine } from "../lib/curl-line.ts";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

const FROM = "/w/$workspace/destinations";
const OPEN = { edit: "new" };
const HOOK_EXAMPLE = { target_url: "https://example.com/muster", event: "task_completed" };
const EXAMPLE = { name: "Results", type: "http", config: { url: "https://example.com/results" } };

/** Where results go: routes, what was delivered, and webhook subscriptions. */
export function DestinationsPage() {
  const search = readDestinationsSearch(useSearch({ from: FROM }));
  const { tab } = search;
  const navigate = usePageNavigate({ from: FROM });
  const close = () => void navigate({ search: (before) => ({ ...before, edit: undefined }) });
  useApiCalls(callsOf(search));
  return (
    <Page title="Destinations" actions={<Primary tab={tab} />} below={<Sections tab={tab} />}>
      {tab === "deliveries" ? (
        <DeliveryList search={search} />
      ) : tab === "webhooks" ? (
        <Hooks q={search.q} isCreating={search.edit === "new"} onClose={close} />
      ) : (
        <Routes q={search.q} isCreating={search.edit === "new"} onClose={close} />
      )}
    </Page>
  );
}

function Sections({ tab }: Pick<DestinationsSearch, "tab">) {
  const { slug } = useWorkspace();
  const words = { deliveries: "Deliveries", webhooks: "Webhooks" } as const;
  const tabs = [undefined, ...DESTINATION_TABS].map((each) => ({
    key: each ?? "",
    label: each === undefined ? "Routes" : words[each],
    link: {
      to: "/w/$workspace/destinations" as const,
      params: { workspace: slug },
      search: each === undefined ? {} : { tab: each },
    },
  }));
  return <Tabs label="Destinations" tabs={tabs} current={tab ?? ""} />;
}

function Primary({ tab }: Pick<DestinationsSearch, "tab">) {
  if (tab === "deliveries") return null;
  return (
    <OpenLink needs={tab === "webhooks" ? "member" : "admin"} search={OPEN}>
      {tab === "webhooks" ? "New subscription" : "New route"}
    </OpenLink>
  );
}

interface PartProps {
  readonly q: string | undefined;
  readonly isCreating: boolean;
  readonly onClose: () => void;
}

function Routes({ q, isCreating, onClose }: PartProps) {
  const pages = useRoutes(q);
  const types = useRouteTypes().data;
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const blockedBy = useBlockedBy("admin");
  return (
    <>
      <TextSearch label="Name or id" q={q} />
      <RecordList
        label="Routes"
        pages={pages}
        columns={ROUTE_COLUMNS}
        noMatch={q !== undefined && "No route matches"}
        empty={
          <Empty title="No routes yet" action={<Primary tab={undefined} />} command={curlLine(ROUTES_PATH, EXAMPLE)}>
            A route delivers the results of tasks and team runs: to a chat, a mailbox, a tracker or your own endpoint.
          </Empty>
        }
      />
      {isCreating && types !== undefined && blockedBy === undefined && (
        <RouteForm
          types={types}
          onClose={onClose}
          onSaved={(id, delivery) =>
            void navigate({
              to: "/w/$workspace/destinations/$id",
              params: { workspace: slug, id },
              search: delivery === undefined ? {} : { delivery },
            })
          }
        />
      )}
    </>
  );
}

function Hooks({ q, isCreating, onClose }: PartProps) {
  const pages = useHooks(q);
  const blockedBy = useBlockedBy("member");
  return (
    <>
      <TextSearch label="URL or id" q={q} />
      <RecordList
        label="Webhook subscriptions"
        pages={pages}
        columns={HOOK_COLUMNS}
        noMatch={q !== undefined && "No subscription matches"}
        empty={
          <Empty
            title="No subscriptions yet"
            action={<Primary tab="webhooks" />}
            command={curlLine(HOOKS_PATH, HOOK_EXAMPLE)}
          >
            A subscription sends one kind of event to one URL, signed.
          </Empty>
        }
      />
      {isCreating && blockedBy === undefined && <HookForm onClose={onClose} />}
    </>
  );
}

function callsOf(search: DestinationsSearch): readonly ApiCall[] {
  switch (search.tab) {
    case "deliveries":
      return [
        { title: "List deliveries", method: "GET", path: deliveriesPath(search) },
        {
          title: "Redeliver all that failed",
          method: "POST",
          path: "/console/api/deliveries/redeliver",
          body: { since: "2026-01-01T00:00:00Z" },
        },
      ];
    case "webhooks":
      return [
        { title: "List subscriptions", method: "GET", path: HOOKS_PATH },
        {
          title: "Subscribe",
          method: "POST",
          path: HOOKS_PATH,
          body: HOOK_EXAMPLE,
        },
      ];
    default:
      return [
        { title: "List routes", method: "GET", path: ROUTES_PATH },
        { title: "Create a route", method: "POST", path: ROUTES_PATH, body: EXAMPLE },
      ];
  }
}
