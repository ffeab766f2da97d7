import { disconnectGoogle } from "#operations/destinations/google-account.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { GOOGLE_ACCOUNT, accountRecord, respondAccount } from "./google-account.ts";
import { addGoogleConsent } from "./google-consent.ts";

/** Adds the workspace's Google account, /console/api/google-account, and the consent that connects one. */
export default function addGoogle(api: Api): void {
  addPath(api, GOOGLE_ACCOUNT, {
    tag: "Output routes",
    endpoints: [
      {
        method: "get",
        operationId: "getGoogleAccount",
        summary: "Read the workspace's Google account",
        success: { status: 200, schema: accountRecord },
        handle: respondAccount,
      },
      {
        method: "delete",
        operationId: "disconnectGoogleAccount",
        needs: "admin",
        summary: "Disconnect the Google account",
        success: { status: 204 },
        async handle(c, services) {
          await disconnectGoogle(services, c.get("principal"));
          return c.body(null, 204);
        },
      },
    ],
  });
  addGoogleConsent(api);
}
