import { refreshInput, signInInput, tokenInput } from "#domain/accounts/account.ts";
import { refresh } from "#operations/accounts/sessions.ts";
import { issueToken } from "#operations/accounts/sign-in.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { readBody, readOptionalJson } from "../middleware/read-body.ts";
import { clientOf } from "./client.ts";
import { accessRecord } from "./records.ts";
import { readRefreshCookie, requireSameSite, setRefreshCookie } from "./refresh-cookie.ts";

/** Adds /auth/refresh and /auth/token, which issue access tokens. */
export default function addTokens(api: Api): void {
  addPath(api, "/auth/refresh", {
    tag: "Accounts",
    endpoints: [
      {
        method: "post",
        operationId: "refreshSession",
        needs: "public",
        summary: "Refresh the session of the cookie: returns a new access token and sets a new cookie",
        body: refreshInput,
        success: { status: 200, schema: accessRecord },
        handle: goOn,
      },
    ],
  });
  addPath(api, "/auth/token", {
    tag: "Accounts",
    endpoints: [
      {
        method: "post",
        operationId: "createAccessToken",
        needs: "public",
        summary: "Get an access token: by e-mail and password without a cookie, or by the cookie's session",
        body: tokenInput,
        success: { status: 200, schema: accessRecord },
        handle: token,
      },
    ],
  });
}

async function token(c: HttpContext, services: HttpServices): Promise<Response> {
  const given = await readOptionalJson(c);
  if (!("email" in given || "password" in given)) return goOn(c, services);
  return respondValue(c, await issueToken(services, await readBody(c, signInInput), clientOf(c, services)));
}

async function goOn(c: HttpContext, services: HttpServices): Promise<Response> {
  requireSameSite(c, services);
  const { workspace_id } = await readBody(c, refreshInput);
  const session = await refresh(services, readRefreshCookie(c), workspace_id);
  setRefreshCookie(c, services, session.refreshToken);
  return respondValue(c, session.access);
}
