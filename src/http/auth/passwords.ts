import { z } from "zod";
import { passwordInput, resetInput } from "#domain/accounts/account.ts";
import { changePassword, checkReset, resetPassword } from "#operations/accounts/passwords.ts";
import { bearerToken } from "../middleware/authenticate.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { readBody } from "../middleware/read-body.ts";
import { clientOf } from "./client.ts";
import { doneRecord, tokenQuery } from "./records.ts";

const openRecord = z.strictObject({ status: z.literal("open"), email: z.string(), next: z.string() });

/** Adds /auth/password, and /auth/reset, the target of the one-time link of `muster reset-password`. */
export default function addPasswords(api: Api): void {
  addPath(api, "/auth/password", {
    tag: "Accounts",
    endpoints: [
      {
        method: "post",
        operationId: "changePassword",
        needs: "session",
        summary: "Change your password; your other sessions end",
        body: passwordInput,
        success: { status: 204 },
        handle: change,
      },
    ],
  });
  addPath(api, "/auth/reset", {
    tag: "Accounts",
    endpoints: [
      {
        method: "get",
        operationId: "checkResetLink",
        needs: "public",
        summary: "Check whether a password-reset link is still valid",
        query: tokenQuery,
        success: { status: 200, schema: openRecord },
        handle: show,
      },
      {
        method: "post",
        operationId: "resetPassword",
        needs: "public",
        summary: "Set a new password by a one-time link; all sessions of the person end",
        body: resetInput,
        success: { status: 200, schema: doneRecord },
        handle: reset,
      },
    ],
  });
}

async function change(c: HttpContext, services: HttpServices): Promise<Response> {
  const who = await services.sessions.authenticate(bearerToken(c));
  const input = await readBody(c, passwordInput);
  await changePassword(services, who, { input, client: clientOf(c, services) });
  return c.body(null, 204);
}

async function show(c: HttpContext, services: HttpServices): Promise<Response> {
  const { email } = await checkReset(services, c.req.query("token") ?? "");
  return respondValue(c, { status: "open", email, next: "POST {token, password} as JSON to this URL." });
}

async function reset(c: HttpContext, services: HttpServices): Promise<Response> {
  const { email } = await resetPassword(services, await readBody(c, resetInput), clientOf(c, services));
  return respondValue(c, { status: "done", email });
}
