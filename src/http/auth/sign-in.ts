import { z } from "zod";
import { signInInput, signUpInput } from "#domain/accounts/account.ts";
import { signOut } from "#operations/accounts/sessions.ts";
import { signIn } from "#operations/accounts/sign-in.ts";
import { signUp } from "#operations/accounts/sign-up.ts";
import { endpoint } from "../api/shape/endpoint.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { originOf } from "../middleware/origin.ts";
import { clientOf } from "./client.ts";
import { accessRecord } from "./records.ts";
import {
  clearRefreshCookie,
  readRefreshCookie,
  requireSameSite,
  setDeviceCookie,
  setRefreshCookie,
} from "./refresh-cookie.ts";

const TAG = "Accounts";

/** Adds /auth/sign-up, /auth/sign-in and /auth/sign-out. */
export default function addSignIn(api: Api): void {
  addPath(api, "/auth/sign-up", { tag: TAG, endpoints: [up] });
  addPath(api, "/auth/sign-in", { tag: TAG, endpoints: [into] });
  addPath(api, "/auth/sign-out", { tag: TAG, endpoints: [out] });
}

const up = endpoint({
  method: "post",
  operationId: "signUp",
  needs: "public",
  summary: "Create an account with its own workspace and sign in, if sign-ups are open",
  body: signUpInput,
  success: { status: 201, schema: accessRecord },
  async handle({ c, services, body }) {
    requireSameSite(c, services);
    const session = await signUp(services, body, clientOf(c, services));
    setRefreshCookie(c, services, session.refreshToken);
    setDeviceCookie(c, services, session.deviceToken);
    return respondValue(c, session.access, 201);
  },
});

const into = endpoint({
  method: "post",
  operationId: "signIn",
  needs: "public",
  summary: "Start a session: returns an access token and sets a cookie that refreshes it",
  body: signInInput,
  success: { status: 200, schema: accessRecord },
  async handle({ c, services, body }) {
    requireSameSite(c, services);
    const session = await signIn(services, body, clientOf(c, services));
    setRefreshCookie(c, services, session.refreshToken);
    setDeviceCookie(c, services, session.deviceToken);
    return respondValue(c, session.access);
  },
});

const out = endpoint({
  method: "post",
  operationId: "signOut",
  needs: "public",
  summary: "End the session of the cookie; Location is the provider's sign-out page, if the session began there",
  body: z.strictObject({}),
  success: { status: 204 },
  async handle({ c, services }) {
    requireSameSite(c, services);
    const returnTo = `${originOf(c, services)}/sign-in`;
    const page = await signOut(services, readRefreshCookie(c, services), returnTo);
    clearRefreshCookie(c, services);
    if (page !== undefined) c.header("Location", page);
  },
});
