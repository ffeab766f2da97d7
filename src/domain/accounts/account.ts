import { z } from "zod";
import { displayName, personName } from "../display-name.ts";
import { givenId } from "../given-id.ts";

/** The minimum length of a password, in characters. */
const MIN_PASSWORD = 8;
/** The maximum length of a password: a longer one would only cost hashing time. */
const MAX_PASSWORD = 200;
/** The maximum length of a deliverable e-mail address (RFC 5321). */
const MAX_EMAIL = 254;

/** The kinds of questions that a person may get by mail. */
const QUESTION_MAILS = ["approvals", "questions"] as const;

/** Which questions a person gets by mail. */
export const questionMails = z
  .array(z.enum(QUESTION_MAILS))
  .describe("The questions that you get by mail where you may answer: approvals of calls and budgets, and others.");

const email = z.email().max(MAX_EMAIL);
/** A new password. */
export const newPassword = z.string().min(MIN_PASSWORD).max(MAX_PASSWORD);
/** A password to compare; its form is not checked. */
const anyPassword = z.string().max(1_000);

/** The body of POST /auth/sign-up. */
export const signUpInput = z.strictObject({
  email,
  password: newPassword,
  name: personName().optional().describe("By default the e-mail address."),
  workspace_name: displayName(100).trim().default("My workspace"),
});

/** A new account, validated. */
export type SignUpInput = z.output<typeof signUpInput>;

/** The body of POST /auth/sign-in. */
export const signInInput = z.strictObject({
  // PostgreSQL lower-cases some letters differently: a variant would be found, but its attempts counted separately.
  email: z.string().max(1_000).toLowerCase(),
  password: anyPassword,
  workspace_id: givenId.optional().describe("By default the workspace that the person joined first."),
});

/** An e-mail address and a password to compare, and the requested workspace. */
export type SignInInput = z.output<typeof signInInput>;

/** The body of POST /auth/refresh. */
export const refreshInput = z.strictObject({
  workspace_id: givenId.optional().describe("By default that of the session's newest token."),
});

/** The body of POST /auth/token: either e-mail and password, or neither and the cookie of a session. */
export const tokenInput = z.union([signInInput, refreshInput]);

/** The body of POST /auth/password. */
export const passwordInput = z.strictObject({ current_password: anyPassword, new_password: newPassword });

/** A change of password, validated. */
export type PasswordInput = z.output<typeof passwordInput>;

/** The body of PATCH /auth/me. */
export const profileInput = z
  .strictObject({
    name: displayName(100).trim().optional(),
    email: email.optional().describe("A new address; needs current_password."),
    current_password: anyPassword.optional(),
    question_mails: questionMails
      .transform((kinds) => QUESTION_MAILS.filter((kind) => kinds.includes(kind)))
      .optional(),
  })
  .refine((input) => [input.name, input.email, input.question_mails].some((given) => given !== undefined), {
    error: "name, email or question_mails is required",
  });

/** A change of name, e-mail address or mails, validated. */
export type ProfileInput = z.output<typeof profileInput>;

/** The body of POST /auth/forgot. */
export const forgotInput = z.strictObject({ email: email.toLowerCase() });

/** The body of POST /auth/reset. */
export const resetInput = z.strictObject({ token: z.string().min(1).max(1_000), password: newPassword });

/** A new password by a one-time link, validated. */
export type ResetInput = z.output<typeof resetInput>;
