import { whoAmI } from "#operations/identity.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { identityRecord } from "./records.ts";
import { respondValue } from "./respond.ts";
import { addPath } from "./route.ts";
import type { Api } from "./route.ts";

/** Adds /api-me. */
export function addMe(api: Api): void {
  addPath(api, "/functions/v1/api-me", {
    tag: "Identity",
    endpoints: [
      {
        method: "get",
        summary: "Who the key belongs to",
        success: { status: 200, schema: identityRecord },
        handle: read,
      },
    ],
  });

  async function read(c: HttpContext, services: HttpServices): Promise<Response> {
    const identity = await whoAmI(services, c.get("principal"));
    return respondValue(c, { ...identity, api_version: c.get("apiVersion") });
  }
}
