import { z } from "zod";
import { leakedKeys, revokeLeaked } from "#operations/access/leaked-keys.ts";
import { endpoint } from "../api/shape/endpoint.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { clientOf } from "./client.ts";

const receipt = z.strictObject({ status: z.literal("received").describe("The same for known and unknown keys.") });

/** Adds /auth/keys/leaked, for scanners and for whoever finds a key. */
export default function addLeakedKeys(api: Api): void {
  addPath(api, "/auth/keys/leaked", { tag: "Accounts", endpoints: [report] });
}

const report = endpoint({
  method: "post",
  operationId: "reportLeakedKeys",
  needs: "public",
  summary: "Revoke leaked keys: those that exist end immediately",
  body: leakedKeys,
  success: { status: 202, schema: receipt },
  async handle({ c, services, body }) {
    await revokeLeaked(services, body, clientOf(c, services));
    return respondValue(c, { status: "received" }, 202);
  },
});
