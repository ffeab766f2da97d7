import { whoAmI } from "#operations/access/identity.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { identityRecord } from "../shape/records.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

/** Adds /api-me. */
export default function addMe(api: Api): void {
  addPath(api, "/functions/v1/api-me", {
    tag: "Identity",
    endpoints: [
      {
        method: "get",
        operationId: "getIdentity",
        summary: "Read the owner of the key",
        success: { status: 200, schema: identityRecord },
        handle: read,
      },
    ],
  });
}

async function read(c: HttpContext, services: HttpServices): Promise<Response> {
  const identity = await whoAmI(services, c.get("principal"));
  return respondValue(c, { ...identity, api_version: c.get("apiVersion") });
}
