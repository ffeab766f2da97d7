import { z } from "zod";
import { formOfKind, secretFields } from "#domain/destinations/destination-form.ts";
import { defaultRetries } from "#domain/destinations/default-retries.ts";
import { defaultEvents, ROUTE_KINDS, routeCreate, routePatch } from "#domain/destinations/output-route.ts";
import { lockRoute } from "#db/queries/destinations/output-routes.ts";
import { openConfig } from "../../destinations/route-config.ts";
import { createRoute, deleteRoutes, updateRoute } from "../../destinations/routes.ts";
import { defineResourceKind, written } from "../resource-kind.ts";
import type { Workspace } from "../../workspace.ts";

const kindIn = z.enum(ROUTE_KINDS);

/** Output routes. */
export const routes = defineResourceKind({
  resource: "route",
  folder: "routes",
  schema: routeCreate,
  listed: "output_route",
  fixed: ["type", "kind"],
  references: [
    { at: "agent_id", to: "agent" },
    { at: "members.*.member", to: "member" },
  ],
  namesLater: ({ agent_id: agent }) => agent != null,
  usualIn: ({ kind }) => ({
    events: defaultEvents(kindIn.parse(kind)),
    retry_delays: defaultRetries(kindIn.parse(kind)),
  }),
  secretsOf: (workspace, fields) => secretsOfRoute(workspace, fields).map((name) => `config.${name}`),
  async openSecrets(workspace, id) {
    const route = await workspace.transaction((tx) => lockRoute(tx, id));
    if (route === undefined) return new Map();
    const config = openConfig(workspace.secrets, route);
    return new Map(
      secretsOfRoute(workspace, route).flatMap((name) => {
        const value = config[name];
        return typeof value === "string" ? [[`config.${name}`, value] as const] : [];
      }),
    );
  },
  begin: written({
    create: routeCreate,
    patch: routePatch,
    add: (workspace, fields, id) => createRoute(workspace, { ...fields, id }),
    change: (workspace, id, patch) => updateRoute(workspace, { id, patch }),
  }),
  remove: deleteRoutes,
});

function secretsOfRoute(
  { destinations }: Workspace,
  { type, kind }: { readonly type?: unknown; readonly kind?: unknown },
): readonly string[] {
  const form = destinations.find((one) => one.type === type);
  const known = kindIn.safeParse(kind ?? "results");
  return form === undefined || !known.success ? [] : secretFields(formOfKind(form, known.data));
}
