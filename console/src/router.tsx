import { createRouter } from "@tanstack/react-router";
import { parseSearch, stringifySearch } from "./lib/search.ts";
import { noteVisits } from "./lib/way-back.ts";
import { connectRoutes } from "./router/connect.ts";
import { publicRoutes, root } from "./router/public.ts";
import { settingsRoutes } from "./router/settings.ts";
import { workRoutes, workspace } from "./router/workspace.ts";

/** The router of the console; its types make a wrong link an error of the compiler. */
export const router = createRouter({
  routeTree: root.addChildren([
    ...publicRoutes,
    workspace.addChildren([...workRoutes, ...connectRoutes, settingsRoutes]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultPendingMs: 150,
  scrollRestoration: true,
});

/** Requests the code of all parts of a page in parallel, even while the session is being renewed. */
router.subscribe("onBeforeLoad", ({ toLocation }) => {
  const [routes] = router.getMatchedRoutes(toLocation.pathname);
  for (const route of routes) void router.loadRouteChunk(route);
});

noteVisits(router.history);

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
