import type { RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import { isBodyOptional } from "../../middleware/read-body.ts";
import { headerRefs, isVersioned, metaRecord, parameterRefs, rejectedText, rejections } from "./components.ts";
import { isRepeatable, requiredAccess } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import { BODY_EXAMPLES } from "./examples.ts";
import type { Tag } from "./tags.ts";

/** Marks the schema of version 2 in a response that has both. */
export const VERSION_2 = "With X-API-Version: 2.";

/** The authentication of callers, in OpenAPI's terms. */
const PROOF: Readonly<Record<"role" | "session" | "public", Record<string, string[]>[]>> = {
  role: [{ apiKey: [] }, { accessToken: [] }],
  session: [{ accessToken: [] }],
  public: [],
};

/** An endpoint with its path. */
export interface Operation {
  readonly path: string;
  readonly tag: Tag;
  readonly endpoint: Endpoint;
}

/** Describes an endpoint for the OpenAPI document; names the schemas of its body and its response. */
export function describeOperation({ path, tag, endpoint }: Operation): RouteConfig {
  const { method, operationId, summary, query, params, success, instead, readsOneAs } = endpoint;
  const need = requiredAccess(endpoint);
  const proof = need === "session" || need === "public" ? need : "role";
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const body = bodyOf(name, endpoint);
  // Streams and files have no envelope.
  const hasVersions = isVersioned(path) && success.contentType === undefined;
  const answer = success.schema && answerOf(`${name}Response`, success.schema);
  return {
    method,
    path,
    tags: [tag],
    operationId,
    summary,
    description: descriptionOf(endpoint),
    security: PROOF[proof],
    ...(proof === "role" && { "x-required-role": need }),
    ...(readsOneAs !== undefined && { "x-reads-one-as": readsOneAs }),
    ...(instead && { "x-instead": { when: instead.when, as: instead.operationId, summary: instead.summary } }),
    parameters: parameterRefs([
      ...(hasVersions ? ["ApiVersion" as const] : []),
      ...(isRepeatable(endpoint) ? ["IdempotencyKey" as const] : []),
    ]),
    request: { ...(query && { query }), ...(params && { params }), ...(body && { body }) },
    responses: {
      ...(instead && {
        [instead.status]: {
          description: `${instead.summary}: with \`${instead.when}=true\`.`,
          headers: headerRefs(successHeaders(endpoint)),
          content: { "application/json": { schema: hasVersions ? inVersions(instead.schema) : instead.schema } },
        },
      }),
      [success.status]: {
        description: success.schema === undefined ? "Done." : "Success.",
        headers: headerRefs(successHeaders(endpoint)),
        ...(answer && {
          content: {
            [success.contentType ?? "application/json"]: { schema: hasVersions ? inVersions(answer) : answer },
          },
        }),
      },
      ...rejections(rejectionsOf(endpoint)),
      ...(success.contentType === "text/plain" && { 400: rejectedText() }),
    },
  };
}

function bodyOf(name: string, { method, operationId, body, ownBody }: Endpoint) {
  const schema = body ?? ownBody?.schema;
  if (schema === undefined) return undefined;
  const example = BODY_EXAMPLES[operationId];
  const described = { schema: named(`${name}Request`, schema), ...(example && { example }) };
  const contentType = ownBody?.contentType ?? "application/json";
  return { content: { [contentType]: described }, required: !isBodyOptional(method, schema) };
}

/** Returns a schema with a name: its own, or this one. */
function named(name: string, schema: z.ZodType): z.ZodType {
  return schema.meta()?.id === undefined ? schema.meta({ id: name }) : schema;
}

/** Returns the schema of a response; an object without a name of its own gets one. */
function answerOf(name: string, schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? named(name, schema) : schema;
}

function descriptionOf(endpoint: Endpoint): string {
  const need = requiredAccess(endpoint);
  const who =
    need === "public"
      ? "Needs no key."
      : need === "session"
        ? "For signed-in people only, not for keys."
        : `Needs the role ${need}${need === "owner" ? "" : " or a higher one"}, and a key with the scope ${endpoint.method === "get" ? "read" : "write"}.`;
  return `${endpoint.summary}. ${who}`;
}

function successHeaders(endpoint: Endpoint): Parameters<typeof headerRefs>[0] {
  const need = requiredAccess(endpoint);
  return [
    "X-Request-Id",
    ...(need === "public" || need === "session"
      ? []
      : (["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const)),
    ...(isPaged(endpoint) && listOf(endpoint.success.schema) !== undefined ? ["Link" as const] : []),
    ...(isRepeatable(endpoint) ? ["Idempotent-Replayed" as const] : []),
    ...(endpoint.warns === true ? ["X-Warning" as const] : []),
  ];
}

/** Returns the error statuses of an operation. */
function rejectionsOf(endpoint: Endpoint): readonly number[] {
  const { method, query, params, body = endpoint.ownBody?.schema, ownBody } = endpoint;
  const need = requiredAccess(endpoint);
  const isOpen = need === "public";
  return [
    400,
    ...(isOpen ? [] : [401, 403]),
    ...((params ?? query ?? body) ? [404] : []),
    ...(method === "get" ? [] : [409]),
    ...(body === undefined ? [] : [413]),
    ...(ownBody?.contentType === undefined ? [] : [415]),
    ...(isOpen && body === undefined ? [] : [429]),
    500,
    503,
  ];
}

function isPaged({ query }: Endpoint): boolean {
  return query !== undefined && "cursor" in query.shape;
}

/** Returns the response in both versions. */
function inVersions(schema: z.ZodType): z.ZodType {
  const list = listOf(schema);
  const page = list && z.strictObject({ items: list, next_cursor: z.string().nullable(), has_more: z.boolean() });
  const others = optionsOf(schema).filter((option) => option !== list);
  const data = page === undefined ? schema : others.length === 0 ? page : z.union([page, ...others]);
  return z.union([...optionsOf(schema), z.strictObject({ data, meta: metaRecord }).describe(VERSION_2)]);
}

function listOf(schema: z.ZodType | undefined): z.ZodArray | undefined {
  return schema && optionsOf(schema).find((option) => option instanceof z.ZodArray);
}

function optionsOf(schema: z.ZodType): readonly z.ZodType[] {
  if (!(schema instanceof z.ZodUnion)) return [schema];
  return schema.options.filter((option) => option instanceof z.ZodType);
}
