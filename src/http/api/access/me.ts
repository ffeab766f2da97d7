import { whoAmI } from "#operations/access/identity.ts";
import { identityRecord } from "../shape/records.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

/** Adds /api-me. */
export default function addMe(api: Api): void {
  addPath(api, "/functions/v1/api-me", { tag: "Identity", endpoints: [read] });
}

const read = endpoint({
  method: "get",
  operationId: "getIdentity",
  summary: "Read the owner of the key",
  success: { status: 200, schema: identityRecord },
  async handle({ c, workspace }) {
    const identity = await whoAmI(workspace);
    return respondValue(c, { ...identity, api_version: c.get("apiVersion") });
  },
});
