import { z } from "zod";
import {
  beginGoogleConnection,
  disconnectGoogle,
  finishGoogleConnection,
  getGoogleAccount,
} from "#operations/destinations/google-account.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { apiVersion, respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { originOf } from "../../middleware/origin.ts";
import { readQuery } from "../../middleware/read-body.ts";

const PATH = "/console/api/google-account";
/** The path of the redirect URI, as registered for the OAuth client at Google. */
const CALLBACK = "/oauth/google/callback";
const TAG = "Output routes";
const time = z.iso.datetime();

const accountRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    email: z.string(),
    status: z.enum(["active", "disabled"]).describe("disabled: Google no longer accepts its grant."),
    error: z.string().nullable(),
    expires_at: time.describe("When the access token expires; it is refreshed before."),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "GoogleAccount" });

const callbackQuery = z.object({
  state: z.string().max(200).optional(),
  code: z.string().max(2_000).optional(),
  error: z.string().max(200).optional(),
});

/** Adds the workspace's Google account: /console/api/google-account, and the page to which Google redirects. */
export default function addGoogle(api: Api): void {
  api.app.use(`${PATH}/*`, apiVersion());
  addPath(api, PATH, {
    tag: TAG,
    endpoints: [
      {
        method: "get",
        operationId: "getGoogleAccount",
        summary: "Read the workspace's Google account",
        success: { status: 200, schema: accountRecord },
        handle: async (c, services) =>
          respondValue(c, accountRecord.parse(JSON.parse(await getGoogleAccount(services, c.get("principal"))))),
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
  addPath(api, `${PATH}/connect`, {
    tag: TAG,
    endpoints: [
      {
        method: "post",
        operationId: "connectGoogleAccount",
        needs: "admin",
        summary: "Start to connect a Google account: open the URL in a browser within ten minutes",
        success: { status: 200, schema: z.strictObject({ url: z.url() }) },
        async handle(c, services) {
          const url = await beginGoogleConnection(services, c.get("principal"), callbackOf(c, services));
          return respondValue(c, { url });
        },
      },
    ],
  });
  addPath(api, CALLBACK, {
    tag: TAG,
    endpoints: [
      {
        method: "get",
        operationId: "finishGoogleConnection",
        needs: "public",
        summary: "The redirect URI for Google; the state authenticates the request, once",
        query: callbackQuery,
        success: { status: 200 },
        handle: finish,
      },
    ],
  });
}

async function finish(c: HttpContext, services: HttpServices): Promise<Response> {
  const { state, code, error } = readQuery(c, callbackQuery);
  c.header("Referrer-Policy", "no-referrer");
  c.header("Cache-Control", "no-store");
  if (state === undefined || code === undefined) {
    const reason = error === "access_denied" ? "you did not agree" : "Google sent no code";
    return c.text(`The Google account was not connected: ${reason}.`, 400);
  }
  await finishGoogleConnection(services, { state, code });
  return c.text("The Google account is connected. You can close this page.");
}

function callbackOf(c: HttpContext, services: HttpServices): string {
  return originOf(c, services) + CALLBACK;
}
