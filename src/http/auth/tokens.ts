import { refreshInput, signInInput, tokenInput } from "#domain/accounts/account.ts";
import { refresh } from "#operations/accounts/sessions.ts";
import { issueToken } from "#operations/accounts/sign-in.ts";
import { endpoint } from "../api/shape/endpoint.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { checkBody, readOptionalJson } from "../middleware/read-body.ts";
import { clientOf } from "./client.ts";
import { accessRecord } from "./records.ts";
import { readRefreshCookie, requireSameSite, setRefreshCookie } from "./refresh-cookie.ts";

/** Adds /auth/refresh and /auth/token, which issue access tokens. */
export default function addTokens(api: Api): void {
  addPath(api, "/auth/refresh", { tag: "Accounts", endpoints: [refreshSession] });
  addPath(api, "/auth/token", { tag: "Accounts", endpoints: [createToken] });
}

const refreshSession = endpoint({
  method: "post",
  operationId: "refreshSession",
  needs: "public",
  summary: "Refresh the session of the cookie: returns a new access token and sets a new cookie",
  body: refreshInput,
  success: { status: 200, schema: accessRecord },
  handle: ({ c, services, body }) => refreshByCookie(c, services, body.workspace_id),
});

const createToken = endpoint({
  method: "post",
  operationId: "createAccessToken",
  needs: "public",
  summary: "Get an access token: by e-mail and password without a cookie, or by the cookie's session",
  // Read by what it has, since the issues of a union would name both kinds.
  ownBody: { schema: tokenInput },
  success: { status: 200, schema: accessRecord },
  async handle({ c, services }) {
    const given = await readOptionalJson(c);
    if ("email" in given || "password" in given) {
      return respondValue(c, await issueToken(services, checkBody(signInInput, given), clientOf(c, services)));
    }
    return refreshByCookie(c, services, checkBody(refreshInput, given).workspace_id);
  },
});

async function refreshByCookie(
  c: HttpContext,
  services: HttpServices,
  workspaceId: string | undefined,
): Promise<Response> {
  requireSameSite(c, services);
  const session = await refresh(services, readRefreshCookie(c, services), workspaceId);
  // The page reads the workspace next: no change since then is missing in the stream that it opens meanwhile.
  await services.live.expect(session.access.workspace_id);
  setRefreshCookie(c, services, session.refreshToken);
  return respondValue(c, session.access);
}
