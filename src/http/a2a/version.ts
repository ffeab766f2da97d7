import type { HttpContext } from "../context.ts";
import { RpcError } from "#protocols/a2a/json-rpc.ts";

const VERSION = /^(\d+\.\d+)(?:\.\d+)?$/;
const SUPPORTED = ["0.3", "1.0"] as const;

/**
 * Returns the A2A version that a request asks for by the header or the query parameter `A2A-Version`; undefined without
 * one. Patch levels are ignored.
 * @throws RpcError `versionNotSupported`.
 */
export function requestedVersion(c: HttpContext): (typeof SUPPORTED)[number] | undefined {
  const asked = c.req.header("A2A-Version") ?? c.req.query("A2A-Version") ?? "";
  if (asked === "") return undefined;
  const version = SUPPORTED.find((one) => one === VERSION.exec(asked)?.[1]);
  if (version !== undefined) return version;
  throw new RpcError("versionNotSupported", `A2A ${asked} is not supported. Supported: ${SUPPORTED.join(", ")}.`);
}
