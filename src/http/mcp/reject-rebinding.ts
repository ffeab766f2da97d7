import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { isLoopback } from "#lib/security/network.ts";
import type { HttpContext, HttpServices } from "../context.ts";

/**
 * Rejects a request over loopback for another host name: a page in a local browser whose own name resolves to 127.0.0.1
 * (DNS rebinding). Allowed are localhost and the host of `PUBLIC_URL`; the same applies to the header `Origin`, if
 * present. Requests over a network need only the key.
 * @returns a response with status 403, or undefined when the request may proceed
 */
export function rejectRebinding({ publicUrl }: HttpServices, c: HttpContext): Response | undefined {
  if (!isLoopback(c.env.incoming.socket.remoteAddress ?? "")) return undefined;
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const allowed = [...localhostAllowedHostnames(), ...own];
  return hostHeaderValidationResponse(c.req.raw, allowed) ?? originValidationResponse(c.req.raw, allowed);
}
