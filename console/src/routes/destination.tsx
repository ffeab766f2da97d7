import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { DeliveryList } from "../features/destinations/delivery-list.tsx";
import { healthLabel } from "../features/destinations/health-strip.tsx";
import { ROUTES_PATH, deliveriesPath, useHealth, useRoute, useRouteTypes } from "../features/destinations/queries.ts";
import { eventLabel } from "../features/destinations/records.ts";
import type { Route } from "../features/destinations/records.ts";
import { PeopleSetup } from "../features/destinations/people-setup.tsx";
import { RouteActions } from "../features/destinations/route-actions.tsx";
import { RouteForm } from "../features/destinations/route-form.tsx";
import { RouteState } from "../features/destinations/route-state.tsx";
import { readDestinationsSearch } from "../features/destinations/search.ts";
import { useAllMembers } from "../features/pickers/all-members.ts";
import { useName } from "../features/pickers/records.ts";
import { configFields, shownValue } from "../features/destinations/schema-fields.ts";
import { FactList, FactRow } from "../ui/fact-list.tsx";
import { Bdi } from "../ui/bdi.tsx";
import { BackLink } from "../ui/back-link.tsx";
import { WarningIcon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { PendingPage } from "../ui/pending-page.tsx";
import { ClockTime } from "../ui/time.tsx";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

const LIST = { to: "/w/$workspace/destinations", label: "Destinations" } as const;
const FROM = "/w/$workspace/destinations/$id";

/** One output route: what it is set to, how it fares, and what it has delivered. */
export function DestinationPage() {
  const { id } = useParams({ from: FROM });
  const { data: route, error, refetch } = useRoute(id);
  if (route === undefined) {
    return <PendingPage noun="Route" list={LIST} error={error} onRetry={() => void refetch()} />;
  }
  return <Shown key={id} route={route} />;
}

function Shown({ route }: { readonly route: Route }) {
  const search = readDestinationsSearch(useSearch({ from: FROM }));
  const navigate = usePageNavigate({ from: FROM });
  const types = useRouteTypes().data;
  const blockedBy = useBlockedBy("admin");
  const close = () => void navigate({ search: (before) => ({ ...before, edit: undefined }) });
  useApiCalls([
    { title: "Read this route", method: "GET", path: `${ROUTES_PATH}/${route.id}` },
    ...(route.kind === "agent"
      ? []
      : [{ title: "Send a test", method: "POST", path: `${ROUTES_PATH}/${route.id}/test` } as const]),
    { title: "List its deliveries", method: "GET", path: deliveriesPath(search, route.id) },
    {
      title: "Redeliver all that failed",
      method: "POST",
      path: "/console/api/deliveries/redeliver",
      body: { since: "2026-01-01T00:00:00Z", route_id: route.id },
    },
  ]);
  return (
    <Page
      title={route.name}
      above={<BackLink {...LIST} />}
      beside={<RouteState route={route} />}
      actions={<RouteActions route={route} />}
    >
      {route.health === "unhealthy" && <Unhealthy route={route} />}
      <div className="px-page py-4">
        <Facts route={route} />
      </div>
      {route.kind !== "results" && <PeopleSetup id={route.id} />}
      <h2 className="px-page pt-2 text-h2 font-semibold">Deliveries</h2>
      <DeliveryList search={search} routeId={route.id} />
      {search.edit !== undefined && types !== undefined && blockedBy === undefined && (
        <RouteForm types={types} route={route} onSaved={close} onClose={close} />
      )}
    </Page>
  );
}

function Unhealthy({ route }: { readonly route: Route }) {
  return (
    <section aria-label="Failing" className="mx-6 mt-4 flex gap-2 rounded-panel bg-failed-soft px-4 py-3 max-sm:mx-4">
      <WarningIcon className="mt-0.5 text-failed" />
      <p>
        <strong className="font-semibold text-failed">The last {route.failures_in_row} deliveries failed.</strong> New
        results are still sent to it. Fix the receiver or the settings, send a test, then redeliver what failed
        {route.last_success_at !== null && (
          <>
            {" "}
            since <ClockTime at={route.last_success_at} />
          </>
        )}
        .
      </p>
    </section>
  );
}

function TalkFacts({ route }: { readonly route: Route }) {
  const { slug } = useWorkspace();
  const { agent_id: id } = route;
  const name = useName(id === null ? undefined : { kind: "agent", id });
  return (
    <>
      <FactRow name="Agent">
        {id === null ? (
          "Deleted: nobody answers"
        ) : (
          <Link to="/w/$workspace/agents/$id" params={{ workspace: slug, id }} className="text-accent hover:underline">
            <Bdi>{name}</Bdi>
          </Link>
        )}
      </FactRow>
      <FactRow name="Who may talk to it">{allowedWords(route)}</FactRow>
      <FactRow name="Messages a minute">{route.messages_per_minute} of one person</FactRow>
    </>
  );
}

function PeopleFacts({ route }: { readonly route: Route }) {
  const people = useAllMembers();
  return (
    <>
      <FactRow name="Who may answer">{allowedWords(route)}</FactRow>
      <FactRow name="Members">
        {route.members.length > 0 && (
          <ul>
            {route.members.map(({ member, user_id: id }) => (
              <li key={member}>
                <Bdi>{people.find(({ user_id }) => user_id === member)?.name ?? "…"}</Bdi>
                <span className="text-ink-2"> {id === null ? "by the link" : `as ${id}`}</span>
              </li>
            ))}
          </ul>
        )}
      </FactRow>
    </>
  );
}

function allowedWords({ allowed_user_ids: ids }: Route): string {
  return ids.join(", ") || "Everybody in the channel";
}

function Facts({ route }: { readonly route: Route }) {
  const type = useRouteTypes().data?.find((each) => each.type === route.type);
  const recent = useHealth().data?.get(route.id);
  const fields = type === undefined ? [] : configFields(type, route.kind);
  return (
    <FactList>
      <FactRow name="Type">{type?.title ?? route.type}</FactRow>
      {fields.map(({ name, title }) => (
        <FactRow key={name} name={title}>
          {shownValue(route.config[name]) !== "" && (
            <Bdi className="block max-w-[72ch] font-mono text-mono">{shownValue(route.config[name])}</Bdi>
          )}
        </FactRow>
      ))}
      {route.kind === "agent" ? (
        <TalkFacts route={route} />
      ) : (
        <FactRow name="Delivers">{route.events.map(eventLabel).join(", ")}</FactRow>
      )}
      {route.kind === "people" && <PeopleFacts route={route} />}
      {route.kind !== "agent" && (
        <FactRow name="Retries">
          {route.retry_delays.length === 0 ? "One attempt" : `After ${route.retry_delays.join(", ")} s`}
        </FactRow>
      )}
      <FactRow name="Health">
        {recent !== undefined && (recent.length === 0 ? "Nothing was delivered yet" : healthLabel(recent))}
      </FactRow>
    </FactList>
  );
}
