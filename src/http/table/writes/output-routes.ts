import { routeCreate, routePatch } from "#domain/destinations/output-route.ts";
import { createRoute, deleteRoutes, updateRoute } from "#operations/destinations/routes.ts";
import { checked } from "./rejections.ts";
import type { Writer } from "./writer.ts";

const TABLE = "output_routes";

/** Writes output routes, by the rules of the console's API: secrets of a configuration can be written, never read. */
export const outputRoutesWriter: Writer = {
  async insert({ workspace }, { id, ...row }) {
    await createRoute(workspace, { ...checked(TABLE, routeCreate, row), id });
  },
  async update({ workspace }, id, row) {
    await updateRoute(workspace, { id, patch: checked(TABLE, routePatch, row) });
  },
  remove: ({ workspace }, ids) => deleteRoutes(workspace, ids),
};
