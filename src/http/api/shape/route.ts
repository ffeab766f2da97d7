import { createRoute } from "@hono/zod-openapi";
import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { AppError } from "#domain/errors.ts";
import { requireRole } from "#domain/access/role.ts";
import type { HttpEnv, HttpServices } from "../../context.ts";
import { mayBeLeftOut } from "../../middleware/read-body.ts";
import { finisher } from "./endpoint.ts";
import type { Endpoint, Need } from "./endpoint.ts";
import { respondOnce } from "./idempotency.ts";
import type { Tag } from "./tags.ts";

/** To what routes are added. */
export interface Api {
  /** Serves them, and collects their descriptions. */
  readonly app: OpenAPIHono<HttpEnv>;
  readonly services: HttpServices;
}

/** How each of them is proved, in the words of OpenAPI. */
const PROOF: Readonly<Record<"role" | "session" | "public", Record<string, string[]>[]>> = {
  role: [{ apiKey: [] }, { accessToken: [] }],
  session: [{ accessToken: [] }],
  public: [],
};

/** The query parameter that names one resource. */
export const idQuery = z.strictObject({ id: givenId });

/** The error body of the envelope API. */
export const errorBody = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    }),
    meta: z.object({ api_version: z.int(), request_id: z.string(), timestamp: z.iso.datetime() }),
  })
  .meta({ id: "Error" });

/**
 * Adds a path with all its methods: serves them, describes them in the OpenAPI document, and
 * lets those pass whose role allows it, and rejects every other method with 405 and `Allow`.
 */
export function addPath(
  { app, services }: Api,
  path: string,
  options: { readonly tag: Tag; readonly endpoints: readonly Endpoint[] },
): void {
  for (const endpoint of options.endpoints) {
    app.openAPIRegistry.registerPath(describe(path, options.tag, endpoint));
    const need = needOf(endpoint);
    app.on(endpoint.method.toUpperCase(), honoPath(path), async (c) => {
      if (need !== "session" && need !== "public") requireRole(c.get("principal"), need);
      if (isRepeatable(endpoint)) return respondOnce(c, services, endpoint);
      return (await finisher(c, services, endpoint))(services);
    });
  }
  const allow = [...new Set(options.endpoints.map(({ method }) => method.toUpperCase()))];
  app.all(honoPath(path), (c) => {
    const allowed = [...allow, ...(allow.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    throw new AppError("method_not_allowed", `${c.req.method} is not supported here. Allowed: ${allowed}.`, {
      headers: { Allow: allowed },
    });
  });
}

/** Whether an `Idempotency-Key` counts here: keys belong to workspaces, and only a POST may not be sent twice as it is. */
function isRepeatable(endpoint: Endpoint): boolean {
  const need = needOf(endpoint);
  return endpoint.method === "post" && need !== "session" && need !== "public";
}

function needOf({ needs, method }: Endpoint): Need {
  return needs ?? (method === "get" ? "viewer" : "member");
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

function describe(path: string, tag: Tag, endpoint: Endpoint): RouteConfig {
  const { method, operationId, summary, query, params, body, bodyType = "application/json", success } = endpoint;
  const json = (schema: z.ZodType) => ({ "application/json": { schema } });
  const need = needOf(endpoint);
  const withoutRole = need === "session" || need === "public";
  return createRoute({
    method,
    path,
    tags: [tag],
    operationId,
    summary,
    security: PROOF[withoutRole ? need : "role"],
    ...(!withoutRole && { "x-required-role": need }),
    request: {
      ...(query && { query }),
      ...(params && { params }),
      ...(body && { body: { content: { [bodyType]: { schema: body } }, required: !mayBeLeftOut(method, body) } }),
    },
    responses: {
      [success.status]: {
        description: success.schema === undefined ? "Done" : "Success",
        ...(success.schema && { content: json(success.schema) }),
      },
      default: { description: "Refused", content: json(errorBody) },
    },
  });
}
