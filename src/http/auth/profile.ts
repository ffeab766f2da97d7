import { z } from "zod";
import { LOCATED_KINDS } from "#domain/access/located.ts";
import { profileInput } from "#domain/accounts/account.ts";
import { locate } from "#operations/accounts/locate.ts";
import { changeProfile, readProfile } from "#operations/accounts/profile.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { clientOf } from "./client.ts";
import { personRecord } from "./records.ts";
import { endpoint } from "../api/shape/endpoint.ts";

const locateQuery = z.strictObject({
  id: z
    .string()
    .trim()
    .toLowerCase()
    .min(1)
    .max(100)
    .describe("A record's id, or a workspace's id, slug or former slug."),
});
const locatedRecord = z
  .strictObject({ workspace_id: z.uuid(), workspace_slug: z.string(), kind: z.enum(LOCATED_KINDS) })
  .meta({ id: "Located" });

/** Adds /auth/me, and /auth/locate, which finds the caller's workspace of an id. */
export default function addProfile(api: Api): void {
  addPath(api, "/auth/me", { tag: "Accounts", endpoints: [read, change] });
  addPath(api, "/auth/locate", { tag: "Accounts", endpoints: [find] });
}

const read = endpoint({
  method: "get",
  operationId: "getProfile",
  needs: "session",
  summary: "Read your name, e-mail address and workspaces",
  success: { status: 200, schema: personRecord },
  handle: async ({ c, services, who }) => respondValue(c, await readProfile(services, who)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateProfile",
  needs: "session",
  summary: "Change your name, or your e-mail address with your password",
  body: profileInput,
  readOnly: ["id", "has_password", "workspaces"],
  success: { status: 200, schema: personRecord },
  handle: async ({ c, services, who, body }) =>
    respondValue(c, await changeProfile(services, who, { input: body, client: clientOf(c, services) })),
});

const find = endpoint({
  method: "get",
  operationId: "locateRecord",
  needs: "session",
  summary: "Find which of your workspaces has a record",
  query: locateQuery,
  success: { status: 200, schema: locatedRecord },
  handle: async ({ c, services, who, query }) => respondValue(c, await locate(services, who, query.id)),
});
