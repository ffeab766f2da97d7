import { z } from "zod";
import { VERSION } from "#domain/version.ts";
import { endpoint } from "./api/shape/endpoint.ts";
import { addPath } from "./api/shape/route.ts";
import type { HttpContext } from "./context.ts";
import type { Api } from "./api/shape/route.ts";

const versionRecord = z
  .strictObject({ name: z.literal("muster"), version: z.string() })
  .meta({ id: "Version", examples: [{ name: "muster", version: "0.1.0+a1b2c3d" }] });

/** Responds with the name and the version of the service. */
export function version(c: HttpContext): Response {
  return c.json({ name: "muster", version: VERSION });
}

/** Adds /version: the name and the version of the service; needs no key. */
export function addVersion(api: Api): void {
  addPath(api, "/version", {
    tag: "Identity",
    endpoints: [
      endpoint({
        method: "get",
        operationId: "getVersion",
        summary: "Read the version of the service",
        needs: "public",
        success: { status: 200, schema: versionRecord },
        handle: ({ c }) => version(c),
      }),
    ],
  });
}
