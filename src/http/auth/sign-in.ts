import { z } from "zod";
import { signInInput, signUpInput } from "#domain/accounts/account.ts";
import { signOut } from "#operations/accounts/sessions.ts";
import { signIn } from "#operations/accounts/sign-in.ts";
import { signUp } from "#operations/accounts/sign-up.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Endpoint } from "../api/shape/endpoint.ts";
import type { Api } from "../api/shape/route.ts";
import { readBody } from "../middleware/read-body.ts";
import { clientOf } from "./client.ts";
import { accessRecord } from "./records.ts";
import {
  clearRefreshCookie,
  readRefreshCookie,
  requireSameSite,
  setDeviceCookie,
  setRefreshCookie,
} from "./refresh-cookie.ts";

const nothing = z.strictObject({});

/** Adds /auth/sign-up, /auth/sign-in and /auth/sign-out. */
export default function addSignIn(api: Api): void {
  add("/auth/sign-up", {
    operationId: "signUp",
    summary: "Create an account with its own workspace and sign in, if sign-ups are open",
    body: signUpInput,
    success: { status: 201, schema: accessRecord },
    handle: up,
  });
  add("/auth/sign-in", {
    operationId: "signIn",
    summary: "Start a session: returns an access token and sets a cookie that refreshes it",
    body: signInInput,
    success: { status: 200, schema: accessRecord },
    handle: into,
  });
  add("/auth/sign-out", {
    operationId: "signOut",
    summary: "End the session of the cookie",
    body: nothing,
    success: { status: 204 },
    handle: out,
  });

  function add(path: string, endpoint: Omit<Extract<Endpoint, { prepare?: undefined }>, "method">): void {
    addPath(api, path, { tag: "Accounts", endpoints: [{ method: "post", needs: "public", ...endpoint }] });
  }

  async function up(c: HttpContext, services: HttpServices): Promise<Response> {
    requireSameSite(c, services);
    const session = await signUp(services, await readBody(c, signUpInput), clientOf(c, services));
    setRefreshCookie(c, services, session.refreshToken);
    setDeviceCookie(c, services, session.deviceToken);
    return respondValue(c, session.access, 201);
  }

  async function into(c: HttpContext, services: HttpServices): Promise<Response> {
    requireSameSite(c, services);
    const session = await signIn(services, await readBody(c, signInInput), clientOf(c, services));
    setRefreshCookie(c, services, session.refreshToken);
    setDeviceCookie(c, services, session.deviceToken);
    return respondValue(c, session.access);
  }

  async function out(c: HttpContext, services: HttpServices): Promise<Response> {
    requireSameSite(c, services);
    await readBody(c, nothing);
    await signOut(services, readRefreshCookie(c));
    clearRefreshCookie(c, services);
    return c.body(null, 204);
  }
}
