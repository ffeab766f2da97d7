import type { AppError } from "#domain/errors.ts";
import { MAX_MESSAGE_VALUES, findOversize, findUnstorable } from "#domain/storable.ts";
import { isRecord } from "#lib/is-record.ts";
import { JsonSyntaxError, parseJson } from "#lib/text/parse-json.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import type { BearerCaller } from "../bearer-caller.ts";
import { assertJson, callMethod, isAnsweredByBinding } from "./call-method.ts";
import { INSTANCE } from "#protocols/a2a/cards.ts";
import { RpcError, errorInfoOf, rpcErrorOf } from "#protocols/a2a/json-rpc.ts";
import type { RpcErrorName } from "#protocols/a2a/json-rpc.ts";
import { METHODS } from "./methods.ts";
import { withoutProtoNames } from "#protocols/a2a/proto-names.ts";
import { routeOf } from "./rest-routes.ts";
import { requestedVersion } from "./version.ts";

const REST_PATH = /^\/a2a\/[^/]+\/(?:message:|tasks(?:[/?]|$)|extendedAgentCard$)/;
const TYPE = "application/a2a+json";

/** The status names of google.rpc.Status, by HTTP status. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};
/** Errors about the state of a task, not about the request. */
const FAILED_PRECONDITION: ReadonlySet<RpcErrorName> = new Set([
  "taskNotCancelable",
  "unsupportedOperation",
  "versionNotSupported",
]);

/**
 * Responds to a request of the HTTP+JSON binding of A2A 1.0 (https://a2a-protocol.org/v1.0.0/specification/#11-httpjsonrest-protocol-binding):
 * its routes are other names of the methods.
 */
export async function respondRest(services: HttpServices, c: HttpContext, caller: BearerCaller): Promise<Response> {
  try {
    const route = routeOf(c.req.method, c.req.path);
    const method = route === undefined ? undefined : METHODS.get(route.method);
    if (route === undefined || method === undefined) throw new RpcError("methodNotFound", "No such path and method.");
    if (requestedVersion(c) === "0.3") throw new RpcError("versionNotSupported", "HTTP+JSON is offered in A2A 1.0.");
    const agentId = c.req.param("agentId")?.toLowerCase();
    const result = await callMethod(services, c, {
      caller,
      method,
      agentId: agentId === INSTANCE ? undefined : agentId,
      params: { ...withoutProtoNames(await givenParams(c)), ...route.params },
      envelope: (streamed) => streamed,
    });
    c.header("A2A-Version", method.dialect.version);
    return result instanceof Response ? result : respondJson(c, { status: 200, body: result });
  } catch (error) {
    if (!isAnsweredByBinding(error)) throw error;
    return respondError(c, rpcErrorOf(error));
  }
}

/** True if a path belongs to the HTTP+JSON binding. */
export function isRestPath(path: string): boolean {
  return REST_PATH.test(path);
}

/** Responds to an error that has an HTTP status of its own. */
export function respondRestError(c: HttpContext, { status, message, headers }: AppError): Response {
  for (const [name, value] of Object.entries(headers ?? {})) c.header(name, value);
  return respondJson(c, {
    status,
    body: errorBody(status, STATUS_NAMES[status] ?? "UNKNOWN", { message, details: [] }),
  });
}

function respondError(c: HttpContext, error: RpcError): Response {
  const { kind, message } = error;
  const isMissing = kind === "taskNotFound" || kind === "methodNotFound";
  const status = isMissing ? 404 : 400;
  const name = FAILED_PRECONDITION.has(kind) ? "FAILED_PRECONDITION" : (STATUS_NAMES[status] ?? "UNKNOWN");
  return respondJson(c, { status, body: errorBody(status, name, { message, details: errorInfoOf(error) }) });
}

function errorBody(
  code: number,
  status: string,
  shown: { readonly message: string; readonly details: readonly object[] },
) {
  return { error: { code, status, ...shown } };
}

function respondJson(
  c: HttpContext,
  { status, body }: { readonly status: 200 | AppError["status"]; readonly body: unknown },
): Response {
  const type = c.req.header("Accept")?.includes(TYPE) === true ? TYPE : "application/json";
  return c.body(JSON.stringify(body), status, { "Content-Type": type });
}

/** The fields of the body, or else of the query. */
async function givenParams(c: HttpContext): Promise<Readonly<Record<string, unknown>>> {
  if (c.req.method !== "POST") return Object.fromEntries(Object.entries(c.req.query()).map(typed));
  assertJson(c);
  const text = await c.req.text();
  if (text === "") return {};
  const body = parsed(text);
  if (!isRecord(body)) throw new RpcError("invalidRequest", "The body must be a JSON object.");
  const issue = findUnstorable(body);
  if (issue !== undefined) throw new RpcError("invalidParams", `Invalid request: ${issue.path}: ${issue.message}`);
  return body;
}

function parsed(text: string): unknown {
  const oversize = findOversize(text, MAX_MESSAGE_VALUES);
  if (oversize !== undefined) throw new RpcError("invalidRequest", `The body ${oversize.message}.`);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new RpcError("parse", `The body must be JSON: ${error.message}.`);
  }
}

/** A parameter of the query as JSON would have it. */
function typed([name, text]: [string, string]): [string, unknown] {
  if (/^(?:history_?length|page_?size)$/i.test(name) && /^-?\d{1,9}$/.test(text)) return [name, Number(text)];
  if (/^include_?artifacts$/i.test(name) && /^(?:true|false)$/.test(text)) return [name, text === "true"];
  return [name, text];
}
