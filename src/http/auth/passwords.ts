import { z } from "zod";
import { forgotInput, passwordInput, resetInput } from "#domain/accounts/account.ts";
import { changePassword, checkReset, forgotPassword, resetPassword } from "#operations/accounts/passwords.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { clientOf } from "./client.ts";
import { doneRecord, tokenQuery } from "./records.ts";
import { endpoint } from "../api/shape/endpoint.ts";

const openRecord = z.strictObject({ status: z.literal("open"), email: z.string(), next: z.string() });

/** Adds /auth/password, /auth/forgot, and /auth/reset, the target of the one-time link of `muster reset-password`. */
export default function addPasswords(api: Api): void {
  addPath(api, "/auth/password", { tag: "Accounts", endpoints: [change] });
  addPath(api, "/auth/forgot", { tag: "Accounts", endpoints: [forgot] });
  addPath(api, "/auth/reset", { tag: "Accounts", endpoints: [show, reset] });
}

const change = endpoint({
  method: "post",
  operationId: "changePassword",
  needs: "session",
  summary: "Change your password; your other sessions end",
  body: passwordInput,
  success: { status: 204 },
  handle: ({ c, services, who, body }) => changePassword(services, who, { input: body, client: clientOf(c, services) }),
});

const forgot = endpoint({
  method: "post",
  operationId: "forgotPassword",
  needs: "public",
  summary: "Mail a link for a new password to an address, if it has an account",
  body: forgotInput,
  success: { status: 204 },
  handle: ({ c, services, body }) => forgotPassword(services, body.email, clientOf(c, services)),
});

const show = endpoint({
  method: "get",
  operationId: "checkResetLink",
  needs: "public",
  summary: "Check whether a password-reset link is still valid",
  query: tokenQuery,
  success: { status: 200, schema: openRecord },
  async handle({ c, services, query }) {
    const { email } = await checkReset(services, query.token);
    return respondValue(c, { status: "open", email, next: "POST {token, password} as JSON to this URL." });
  },
});

const reset = endpoint({
  method: "post",
  operationId: "resetPassword",
  needs: "public",
  summary: "Set a new password by a one-time link; all sessions of the person end",
  body: resetInput,
  success: { status: 200, schema: doneRecord },
  async handle({ c, services, body }) {
    const { email } = await resetPassword(services, body, clientOf(c, services));
    return respondValue(c, { status: "done", email });
  },
});
