import { z } from "zod";
import { questionMails } from "#domain/accounts/account.ts";
import { ROLES } from "#domain/access/role.ts";

const time = z.iso.datetime();
const role = z.enum(ROLES);

const workspaces = z.array(
  z.strictObject({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    role,
    can_answer: z.boolean().describe("Whether the person may answer questions there; viewers only with that right."),
    require_passkeys: z.boolean().describe("Whether a password alone does not open it."),
  }),
);

/** A person as /auth/me shows them. */
export const personRecord = z
  .strictObject({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    has_password: z.boolean().describe("Whether the account has a password, with which the person may sign in."),
    question_mails: questionMails,
    workspaces,
  })
  .meta({ id: "Person" });

/** The access of a signed-in person. */
export const accessRecord = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int().describe("Seconds."),
    workspace_id: z.uuid().describe("The workspace of the token."),
    role,
    needs_passkey: z
      .boolean()
      .describe("Whether the workspace stays closed to this session: it requires a passkey, and a password opened it."),
    user: z.strictObject({ id: z.uuid(), email: z.string(), name: z.string() }),
    workspaces,
  })
  .meta({ id: "Access" });

/** One of a person's own sessions. */
export const sessionRecord = z
  .strictObject({
    id: z.uuid(),
    user_agent: z.string().nullable(),
    created_at: time,
    last_used_at: time,
    expires_at: time,
    current: z.boolean().describe("Whether it is the session of this request."),
  })
  .meta({ id: "Session" });

/** The response after a one-time link was used. */
export const doneRecord = z.strictObject({ status: z.literal("done"), email: z.string() });

/** The query of a one-time link's URL. */
export const tokenQuery = z.object({ token: z.string() });
