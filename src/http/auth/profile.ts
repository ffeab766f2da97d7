import { z } from "zod";
import { LOCATED_KINDS } from "#domain/access/located.ts";
import { profileInput } from "#domain/accounts/account.ts";
import { locate } from "#operations/accounts/locate.ts";
import { changeProfile, readProfile } from "#operations/accounts/profile.ts";
import { bearerToken } from "../middleware/authenticate.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { readBody, readQuery } from "../middleware/read-body.ts";
import { clientOf } from "./client.ts";
import { personRecord } from "./records.ts";

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
  addPath(api, "/auth/me", {
    tag: "Accounts",
    endpoints: [
      {
        method: "get",
        operationId: "getProfile",
        needs: "session",
        summary: "Read your name, e-mail address and workspaces",
        success: { status: 200, schema: personRecord },
        handle: read,
      },
      {
        method: "patch",
        operationId: "updateProfile",
        needs: "session",
        summary: "Change your name, or your e-mail address with your password",
        body: profileInput,
        success: { status: 200, schema: personRecord },
        handle: change,
      },
    ],
  });
  addPath(api, "/auth/locate", {
    tag: "Accounts",
    endpoints: [
      {
        method: "get",
        operationId: "locateRecord",
        needs: "session",
        summary: "Find which of your workspaces has a record",
        query: locateQuery,
        success: { status: 200, schema: locatedRecord },
        handle: find,
      },
    ],
  });
}

async function read(c: HttpContext, services: HttpServices): Promise<Response> {
  return respondValue(c, await readProfile(services, await services.sessions.authenticate(bearerToken(c))));
}

async function change(c: HttpContext, services: HttpServices): Promise<Response> {
  const who = await services.sessions.authenticate(bearerToken(c));
  const input = await readBody(c, profileInput, ["id", "workspaces"]);
  return respondValue(c, await changeProfile(services, who, { input, client: clientOf(c, services) }));
}

async function find(c: HttpContext, services: HttpServices): Promise<Response> {
  const who = await services.sessions.authenticate(bearerToken(c));
  return respondValue(c, await locate(services, who, readQuery(c, locateQuery).id));
}
