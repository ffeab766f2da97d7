import { z } from "zod";
import { areEqual } from "#lib/security/equal-texts.ts";
import { beginGoogleConnection, finishGoogleConnection } from "#operations/destinations/google-account.ts";
import { readCookie, writeCookie } from "../../middleware/cookies.ts";
import { originOf } from "../../middleware/origin.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { GOOGLE_ACCOUNT, accountRecord, readAccount } from "./google-account.ts";

/** The path of the redirect URI, as registered for the OAuth client at Google. */
const CALLBACK = "/oauth/google/callback";
/**
 * The cookie with the state of the connection that this browser started last. Google's redirect comes from another
 * site: a strict cookie would not be sent.
 */
const COOKIE = { name: "muster_google_state", path: CALLBACK, sameSite: "Lax" } as const;
const STATE_SECONDS = 600;
const TAG = "Output routes";

const state = z.string().min(1).max(200);
const code = z.string().min(1).max(2_000);
const callbackQuery = z.object({
  state: state.optional(),
  code: code.optional(),
  error: z.string().max(200).optional(),
});
const begun = z.strictObject({
  url: z.url().describe("Google's consent page; open it in a browser within ten minutes."),
  state: z.string().describe("Needed to finish a connection that the browser did not start."),
});
const consent = z.strictObject({ state, code: code.describe("Shown by the page to which Google redirects.") });

/**
 * Adds the consent to a Google account. The page to which Google redirects completes only connections that were started
 * in the same browser: a link from a stranger must not connect a person's account to the stranger's workspace. A
 * connection that was started by a program is completed by that program, with the code that the page shows.
 */
export function addGoogleConsent(api: Api): void {
  addPath(api, `${GOOGLE_ACCOUNT}/connect`, { tag: TAG, endpoints: [connect] });
  addPath(api, `${GOOGLE_ACCOUNT}/finish`, { tag: TAG, endpoints: [finish] });
  addPath(api, CALLBACK, { tag: TAG, endpoints: [receive] });
}

const connect = endpoint({
  method: "post",
  operationId: "connectGoogleAccount",
  needs: "admin",
  summary: "Start to connect a Google account: open the URL in a browser within ten minutes",
  success: { status: 200, schema: begun },
  async handle({ c, workspace }) {
    const started = await beginGoogleConnection(workspace, originOf(c, workspace) + CALLBACK);
    writeCookie(c, workspace, { ...COOKIE, value: started.state, seconds: STATE_SECONDS });
    return respondValue(c, started);
  },
});

const finish = endpoint({
  method: "post",
  operationId: "finishGoogleAccount",
  needs: "admin",
  summary: "Finish a connection to a Google account that was consented to in another browser",
  body: consent,
  success: { status: 200, schema: accountRecord },
  async prepare({ c, workspace, body }) {
    await finishGoogleConnection(workspace, { ...body, workspaceId: workspace.who.workspaceId });
    return async () => respondValue(c, await readAccount(workspace));
  },
});

const receive = endpoint({
  method: "get",
  operationId: "receiveGoogleConsent",
  needs: "public",
  summary: "The redirect URI for Google; completes a connection that was started in the same browser",
  query: callbackQuery,
  success: { status: 200, schema: z.string(), contentType: "text/plain" },
  async handle({ c, services, query }) {
    c.header("Referrer-Policy", "no-referrer");
    c.header("Cache-Control", "no-store");
    const { state: given, code: grant } = query;
    if (given === undefined || grant === undefined) {
      const reason = query.error === "access_denied" ? "you did not agree" : "Google sent no code";
      return c.text(`The Google account was not connected: ${reason}.`, 400);
    }
    if (!areEqual(readCookie(c, services, COOKIE) ?? "", given)) return c.text(startedElsewhere(grant));
    await finishGoogleConnection(services, { state: given, code: grant });
    return c.text("The Google account is connected. You can close this page.");
  },
});

/** PKCE and the client's secret make the code useless to anyone but this service. */
function startedElsewhere(shown: string): string {
  return `The Google account is not connected yet: the connection was not started in this browser.

If someone else sent you the link, close this page and do not share the code. With it, agents of another workspace
can send mail and change files in your name.

If you started the connection yourself with the API, finish it with your key and the state that the start returned:

POST ${GOOGLE_ACCOUNT}/finish
{"state": "…", "code": "${shown}"}
`;
}
