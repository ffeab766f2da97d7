import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { loadPart } from "../lib/load-part.ts";
import { readAlertsSearch } from "../features/alerts/search.ts";
import { readPlannedSearch } from "../features/schedules/search.ts";
import { readInstanceSearch } from "../features/instance/search.ts";
import { readMarketplaceSearch } from "../features/marketplace/search.ts";
import { readProtocolsSearch } from "../features/protocols/search.ts";
import { readDestinationsSearch } from "../features/destinations/search.ts";
import { workspace } from "./workspace.ts";

const marketplace = createRoute({
  getParentRoute: () => workspace,
  path: "/marketplace",
  validateSearch: readMarketplaceSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/marketplace.tsx")), "MarketplacePage"),
});

const protocols = createRoute({
  getParentRoute: () => workspace,
  path: "/protocols",
  validateSearch: readProtocolsSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/protocols.tsx")), "ProtocolsPage"),
});

const schedules = createRoute({
  getParentRoute: () => workspace,
  path: "/schedules",
  validateSearch: readPlannedSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/schedules.tsx")), "SchedulesPage"),
});

const schedule = createRoute({
  getParentRoute: () => workspace,
  path: "/schedules/$id",
  validateSearch: readPlannedSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/schedule.tsx")), "SchedulePage"),
});

const triggers = createRoute({
  getParentRoute: () => workspace,
  path: "/triggers",
  validateSearch: readPlannedSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/triggers.tsx")), "TriggersPage"),
});

const trigger = createRoute({
  getParentRoute: () => workspace,
  path: "/triggers/$id",
  validateSearch: readPlannedSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/trigger.tsx")), "TriggerPage"),
});

const destinations = createRoute({
  getParentRoute: () => workspace,
  path: "/destinations",
  validateSearch: readDestinationsSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/destinations.tsx")), "DestinationsPage"),
});

const alerts = createRoute({
  getParentRoute: () => workspace,
  path: "/alerts",
  validateSearch: readAlertsSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/alerts.tsx")), "AlertsPage"),
});

const destination = createRoute({
  getParentRoute: () => workspace,
  path: "/destinations/$id",
  validateSearch: readDestinationsSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/destination.tsx")), "DestinationPage"),
});

const instance = createRoute({
  getParentRoute: () => workspace,
  path: "/instance",
  validateSearch: readInstanceSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/instance.tsx")), "InstancePage"),
});

/** What connects a workspace to the outside, and the instance around it. */
export const connectRoutes = [
  marketplace,
  protocols,
  schedules,
  schedule,
  triggers,
  trigger,
  destinations,
  alerts,
  destination,
  instance,
] as const;
