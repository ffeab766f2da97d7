import { requireScope } from "#domain/access/principal.ts";
import { AppError } from "#domain/errors.ts";
import type { ErrorCode } from "#domain/errors.ts";
import { requestWorkspace } from "../request-workspace.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { originOf } from "../middleware/origin.ts";
import type { Call } from "./call.ts";
import { RpcError } from "#protocols/a2a/json-rpc.ts";
import type { Method } from "./methods.ts";

/** Errors that have an HTTP status in every binding. */
const BY_STATUS: ReadonlySet<ErrorCode> = new Set([
  "unauthorized",
  "forbidden",
  "quota_exceeded",
  "rate_limit_exceeded",
  "internal_error",
  "unavailable",
  "storage_full",
]);

/** A call as a binding has read it. */
interface ReadCall extends Pick<Call, "caller" | "agentId" | "params" | "envelope"> {
  readonly method: Method;
}

/** Calls a method for either binding. @throws AppError `forbidden` without the method's scope; as the method. */
export async function callMethod(
  services: HttpServices,
  c: HttpContext,
  { method, caller, ...call }: ReadCall,
): Promise<unknown> {
  requireScope(caller.principal, method.scope);
  const baseUrl = originOf(c, services);
  return method.run({
    ...call,
    workspace: requestWorkspace(services, c, { ...caller.principal, protocol: "a2a" }),
    c,
    caller,
    dialect: method.dialect,
    baseUrl,
    fileUrl: (id) => baseUrl + services.links.pathOf(id),
  });
}

/** True if an error is the caller's, and the binding reports it in its own way. */
export function isAnsweredByBinding(error: unknown): boolean {
  return error instanceof RpcError || (error instanceof AppError && !BY_STATUS.has(error.code));
}

/** @throws RpcError `contentTypeNotSupported` for a body that is not JSON. */
export function assertJson(c: HttpContext): void {
  const type = (c.req.header("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "" || type === "application/json" || type.endsWith("+json")) return;
  throw new RpcError("contentTypeNotSupported", `The Content-Type must be application/json; it is ${type}.`);
}
