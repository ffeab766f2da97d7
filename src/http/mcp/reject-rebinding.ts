import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { isLoopback } from "#lib/security/network.ts";
import type { HttpContext, HttpServices } from "../context.ts";

/**
 * Rejects a request that came over loopback for the name of another host: a page in a browser on this machine that had
 * its own name resolved to 127.0.0.1 (DNS rebinding). Allowed are localhost and the host of `PUBLIC_URL`; the same for
 * the header `Origin`, if there is one. Requests over a network are left to the key alone.
 * @returns a response with status 403, or undefined when the request may proceed
 */
export function rejectRebinding({ publicUrl }: HttpServices, c: HttpContext): Response | undefined {
  if (!isLoopback(c.env.incoming.socket.remoteAddress ?? "")) return undefined;
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const allowed = [...localhostAllowedHostnames(), ...own];
  return hostHeaderValidationResponse(c.req.raw, allowed) ?? originValidationResponse(c.req.raw, allowed);
}
