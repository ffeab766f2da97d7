import { createRoute } from "@hono/zod-openapi";
import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { AppError } from "#domain/errors.ts";
import { requireRole } from "#domain/role.ts";
import type { Role } from "#domain/role.ts";
import type { HttpContext, HttpEnv } from "../context.ts";
import { mayBeLeftOut } from "../read-body.ts";

/** The application to which routes are added; it also collects their descriptions. */
export type ApiApp = OpenAPIHono<HttpEnv>;

/** What lets a request pass: a role in the workspace, or one of the two for which there is no workspace. */
type Need = Role | "session" | "public";

/** How each of them is proved, in the words of OpenAPI. */
const PROOF: Readonly<Record<"role" | "session" | "public", Record<string, string[]>[]>> = {
  role: [{ apiKey: [] }, { accessToken: [] }],
  session: [{ accessToken: [] }],
  public: [],
};

/** One method of a path, described for the OpenAPI document. */
export interface Endpoint {
  readonly method: "get" | "post" | "patch" | "put" | "delete";
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The media type of the body, where it is not JSON. */
  readonly bodyType?: "multipart/form-data";
  /** The status and schema of success; no schema means no body. */
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly schema?: z.ZodType };
  /**
   * The least role for it; by default, whoever may read may GET, and members may do the rest.
   * `session`: a person who is signed in, whatever the role, and no key; `public`: anybody. Of
   * these two the handler takes care itself.
   */
  readonly needs?: Need;
  readonly handle: (c: HttpContext) => Response | Promise<Response>;
}

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
 * lets those pass whose role allows it, and refuses every other method with 405 and `Allow`.
 */
export function addPath(
  app: ApiApp,
  path: string,
  options: { readonly tag: string; readonly endpoints: readonly Endpoint[] },
): void {
  for (const endpoint of options.endpoints) {
    app.openAPIRegistry.registerPath(describe(path, options.tag, endpoint));
    const need = needOf(endpoint);
    app.on(endpoint.method.toUpperCase(), honoPath(path), (c) => {
      if (need !== "session" && need !== "public") requireRole(c.get("principal"), need);
      return endpoint.handle(c);
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

function needOf({ needs, method }: Endpoint): Need {
  return needs ?? (method === "get" ? "viewer" : "member");
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

function describe(path: string, tag: string, endpoint: Endpoint): RouteConfig {
  const { method, summary, query, params, body, bodyType = "application/json", success } = endpoint;
  const json = (schema: z.ZodType) => ({ "application/json": { schema } });
  const need = needOf(endpoint);
  const withoutRole = need === "session" || need === "public";
  return createRoute({
    method,
    path,
    tags: [tag],
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
