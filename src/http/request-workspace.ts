import type { Principal } from "#domain/access/principal.ts";
import { TRACEPARENT } from "#domain/traces/trace-context.ts";
import { bindWorkspace } from "#operations/workspace.ts";
import type { HttpContext, HttpServices, HttpWorkspace } from "./context.ts";

/** Binds the caller of a request to its workspace; runs that it creates continue the request's trace. */
export function requestWorkspace(services: HttpServices, c: HttpContext, who: Principal): HttpWorkspace {
  return bindWorkspace(services, { ...who, traceparent: c.req.header(TRACEPARENT) });
}
