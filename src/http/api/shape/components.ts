import { z } from "zod";
import { ERROR_STATUS } from "#domain/errors.ts";
import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import type { HttpEnv } from "../../context.ts";

/** The registry of the OpenAPI document. */
export type Registry = OpenAPIHono<HttpEnv>["openAPIRegistry"];

/** Path prefixes at which `X-API-Version` applies. */
export const VERSIONED_ROOTS = ["/functions/v1", "/files", "/console/api"] as const;

/** True if the responses of a path have two versions. */
export function isVersioned(path: string): boolean {
  return VERSIONED_ROOTS.some((root) => `${path}/`.startsWith(`${root}/`));
}

/** The metadata beside data in version 2, and beside every error. */
export const metaRecord = z
  .strictObject({
    api_version: z.int(),
    request_id: z.string().describe("Identifies the request in the service's log; also in X-Request-Id."),
    timestamp: z.iso.datetime(),
    warning: z.string().optional().describe("A warning for the creator of the record; also in X-Warning."),
  })
  .meta({ id: "Meta" });

/** The codes of errors. */
const errorCode = z.enum(Object.keys(ERROR_STATUS)).meta({ id: "ErrorCode" });

/** The error body of the envelope API. */
export const errorBody = z
  .object({
    error: z.object({
      code: errorCode,
      message: z.string(),
      details: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .optional()
        .describe("The issues of the input, each with its path."),
    }),
    meta: metaRecord,
  })
  .meta({ id: "Error" });

/** Response headers with their descriptions. */
const HEADERS = {
  "X-Request-Id": { description: "Identifies the request in the service's log.", schema: { type: "string" as const } },
  "X-RateLimit-Limit": { description: "The limit of requests per minute.", schema: { type: "integer" as const } },
  "X-RateLimit-Remaining": {
    description: "The remaining requests of this minute.",
    schema: { type: "integer" as const },
  },
  "X-RateLimit-Reset": {
    description: "When the minute ends, in Unix seconds.",
    schema: { type: "integer" as const },
  },
  "Retry-After": { description: "Seconds to wait before the next attempt.", schema: { type: "integer" as const } },
  Link: {
    description: 'The next page, as in `</files?cursor=…>; rel="next"`; absent on the last one.',
    schema: { type: "string" as const },
  },
  "Idempotent-Replayed": {
    description: "`true`: this is the stored response of an earlier request with the same Idempotency-Key.",
    schema: { type: "string" as const, enum: ["true"] },
  },
  "X-Warning": { description: "A warning for the creator of the record.", schema: { type: "string" as const } },
};

/** Request headers. */
const PARAMETERS = {
  ApiVersion: {
    name: "X-API-Version",
    in: "header" as const,
    required: false,
    description: "1: bare data. 2: `{data, meta}`, and lists are `{items, next_cursor, has_more}` in `data`.",
    schema: { type: "string" as const, enum: ["1", "2"], default: "1" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header" as const,
    required: false,
    description:
      "Any text of your choice. A request repeated with the same key and body gets the first response again.",
    schema: { type: "string" as const, minLength: 1, maxLength: 255 },
    example: "create-researcher-1",
  },
};

/** The meaning of an error with each status. */
const REJECTIONS: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ["BadRequest", "The input is invalid; `details` lists each issue."],
  401: ["Unauthorized", "The key or access token is missing, unknown, expired or revoked."],
  403: ["Forbidden", "The caller lacks the permission, or a quota of the workspace is used up."],
  404: ["NotFound", "It does not exist, or belongs to another workspace."],
  409: ["Conflict", "The state of the record does not allow the request."],
  413: ["PayloadTooLarge", "The body is too long."],
  415: ["UnsupportedMediaType", "Files of this type are not accepted."],
  429: ["RateLimited", "Too many requests; `Retry-After` says how long to wait."],
  500: ["InternalError", "An internal error; see the service's log for the request id."],
  503: ["Unavailable", "The service or its database is not available; try again later."],
};
const WITH_RETRY_AFTER: ReadonlySet<number> = new Set([429, 503]);

/** Registers the headers, parameters and error responses that operations refer to. */
export function registerComponents(registry: Registry): void {
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "A key of the workspace: `mst_` and 49 characters, the last 6 of which are a checksum.",
  });
  registry.registerComponent("securitySchemes", "accessToken", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The access token of a signed-in person.",
  });
  for (const [name, header] of Object.entries(HEADERS)) registry.registerComponent("headers", name, header);
  for (const [name, parameter] of Object.entries(PARAMETERS)) {
    registry.registerComponent("parameters", name, parameter);
  }
  const schema = { $ref: "#/components/schemas/Error" };
  for (const [key, [name, description]] of Object.entries(REJECTIONS)) {
    const status = Number(key);
    registry.registerComponent("responses", name, {
      description: `${description} Codes: ${codesOf(status)
        .map((code) => `\`${code}\``)
        .join(", ")}.`,
      headers: headerRefs(["X-Request-Id", ...(WITH_RETRY_AFTER.has(status) ? ["Retry-After" as const] : [])]),
      content: { "application/json": { schema, example: exampleOf(status, description) } },
    });
  }
}

/** Returns references to response headers. */
export function headerRefs(names: readonly (keyof typeof HEADERS)[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns references to request headers. */
export function parameterRefs(names: readonly (keyof typeof PARAMETERS)[]): { $ref: string }[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** Returns an operation's error responses: those with these statuses by reference, any other as `default`. */
export function rejections(statuses: readonly number[]): RouteConfig["responses"] {
  const other = {
    description: "Any other error.",
    headers: headerRefs(["X-Request-Id"]),
    content: { "application/json": { schema: errorBody } },
  };
  const named = statuses.flatMap((status) => {
    const [name] = REJECTIONS[status] ?? [];
    return name === undefined ? [] : [[status, { $ref: `#/components/responses/${name}` }] as const];
  });
  return { ...Object.fromEntries(named), default: other };
}

/** Returns the rejection of an operation that responds with text for people; rules of all operations have JSON. */
export function rejectedText(): RouteConfig["responses"][string] {
  return {
    description: "Rejected; the text or `error` says why.",
    headers: headerRefs(["X-Request-Id"]),
    content: { "text/plain": { schema: z.string() }, "application/json": { schema: errorBody } },
  };
}

function codesOf(status: number): readonly string[] {
  return Object.entries(ERROR_STATUS).flatMap(([code, each]) => (each === status ? [code] : []));
}

function exampleOf(status: number, message: string) {
  const meta = { api_version: 1, request_id: "req_0d5c1f3a9b7e4a21", timestamp: "2026-11-22T12:00:00.000Z" };
  const details = status === 400 ? { details: [{ path: "name", message: "is required" }] } : {};
  return {
    error: { code: codesOf(status)[0], message: status === 400 ? "name is required" : message, ...details },
    meta,
  };
}
