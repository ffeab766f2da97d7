import { disconnectGoogle } from "#operations/destinations/google-account.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { GOOGLE_ACCOUNT, accountRecord, readAccount } from "./google-account.ts";
import { addGoogleConsent } from "./google-consent.ts";
import { endpoint } from "../shape/endpoint.ts";

/** Adds the workspace's Google account, /console/api/google-account, and the consent that connects one. */
export default function addGoogle(api: Api): void {
  addPath(api, GOOGLE_ACCOUNT, { tag: "Output routes", endpoints: [read, disconnect] });
  addGoogleConsent(api);
}

const read = endpoint({
  method: "get",
  operationId: "getGoogleAccount",
  summary: "Read the workspace's Google account",
  success: { status: 200, schema: accountRecord },
  handle: async ({ c, workspace }) => respondValue(c, await readAccount(workspace)),
});

const disconnect = endpoint({
  method: "delete",
  operationId: "disconnectGoogleAccount",
  needs: "admin",
  summary: "Disconnect the Google account",
  success: { status: 204 },
  handle: ({ workspace }) => disconnectGoogle(workspace),
});
