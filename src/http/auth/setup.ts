import { z } from "zod";
import { checkSetup, setUp, setupInput } from "#operations/accounts/setup.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { readBody } from "../middleware/read-body.ts";
import { doneRecord, tokenQuery } from "./records.ts";

const openRecord = z.strictObject({ status: z.literal("open"), workspace_name: z.string(), next: z.string() });

/** Adds /auth/setup, the target of the first start's one-time link. */
export default function addSetup(api: Api): void {
  addPath(api, "/auth/setup", {
    tag: "Accounts",
    endpoints: [
      {
        method: "get",
        operationId: "checkSetupLink",
        needs: "public",
        summary: "Check whether the set-up link is still valid",
        query: tokenQuery,
        success: { status: 200, schema: openRecord },
        handle: show,
      },
      {
        method: "post",
        operationId: "completeSetup",
        needs: "public",
        summary: "Set the e-mail address and password of the first workspace's owner, once",
        body: setupInput,
        success: { status: 201, schema: doneRecord },
        handle: complete,
      },
    ],
  });
}

async function show(c: HttpContext, services: HttpServices): Promise<Response> {
  const { workspace_name } = await checkSetup(services, c.req.query("token") ?? "");
  const next = "POST {token, email, password, name?} as JSON to this URL to set up the owner's account.";
  return respondValue(c, { status: "open", workspace_name, next });
}

async function complete(c: HttpContext, services: HttpServices): Promise<Response> {
  const { email } = await setUp(services, await readBody(c, setupInput));
  return respondValue(c, { status: "done", email }, 201);
}
