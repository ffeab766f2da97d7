import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { requireRole } from "#domain/access/role.ts";
import type { HttpEnv, HttpServices } from "../../context.ts";
import { methodNotAllowed } from "../../method-not-allowed.ts";
import { countStarts } from "../../middleware/rate-limit.ts";
import { describeLater } from "./describe-later.ts";
import { describeOperation } from "./describe-operation.ts";
import { isRepeatable, requiredAccess } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import { respondOnce } from "./idempotency.ts";
import type { Tag } from "./tags.ts";
import { requestWorkspace } from "../../request-workspace.ts";

/** The target of routes. */
export interface Api {
  /** Serves them, and collects their descriptions. */
  readonly app: OpenAPIHono<HttpEnv>;
  readonly services: HttpServices;
}

/** The parameter, of the query or of the path, that selects one resource. */
export const idQuery = z.strictObject({ id: givenId });

/**
 * Adds a path with all its methods: serves them, describes them in the OpenAPI document, checks the caller's role, and
 * rejects every other method with 405 and `Allow`.
 */
export function addPath(
  { app, services }: Api,
  path: string,
  options: { readonly tag: Tag; readonly endpoints: readonly Endpoint[] },
): void {
  for (const endpoint of options.endpoints) {
    const operation = { path, tag: options.tag, endpoint };
    describeLater(app.openAPIRegistry, (registry) => registry.registerPath(describeOperation(operation)));
    const need = requiredAccess(endpoint);
    app.on(endpoint.method.toUpperCase(), honoPath(path), async (c) => {
      if (need === "session" || need === "public") return (await endpoint.begin(c, services))(services);
      const workspace = requestWorkspace(services, c, c.get("principal"));
      requireRole(workspace.who, need);
      if (endpoint.starts === true) await countStarts(workspace);
      if (isRepeatable(endpoint)) return respondOnce(c, workspace, endpoint);
      return (await endpoint.begin(c, workspace))(workspace);
    });
  }
  const allow = [...new Set(options.endpoints.map(({ method }) => method.toUpperCase()))];
  app.all(honoPath(path), (c) => {
    throw methodNotAllowed(c.req.method, [...allow, ...(allow.includes("GET") ? ["HEAD"] : [])]);
  });
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
