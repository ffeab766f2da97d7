import { z } from "zod";
import { ROLES } from "#domain/access/role.ts";

const time = z.iso.datetime();
const role = z.enum(ROLES);

const workspaces = z.array(
  z.strictObject({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    role,
    can_answer: z
      .boolean()
      .describe("Whether the person may answer questions there; viewers only if they are allowed to."),
  }),
);

/** A person as /auth/me shows them. */
export const personRecord = z
  .strictObject({ id: z.uuid(), email: z.string(), name: z.string(), workspaces })
  .meta({ id: "Person" });

/** What somebody who has signed in gets to work with. */
export const accessRecord = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int().describe("Seconds."),
    workspace_id: z.uuid().describe("The workspace in which the token works."),
    role,
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
    current: z.boolean().describe("Whether the request's token belongs to it."),
  })
  .meta({ id: "Session" });

/** What a one-time link answers when it has done its work. */
export const doneRecord = z.strictObject({ status: z.literal("done"), email: z.string() });

/** The query of an address that a one-time link leads to. */
export const tokenQuery = z.object({ token: z.string() });
