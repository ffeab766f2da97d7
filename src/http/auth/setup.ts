import { z } from "zod";
import { checkSetup, setUp, setupInput } from "#operations/accounts/setup.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { doneRecord, tokenQuery } from "./records.ts";
import { endpoint } from "../api/shape/endpoint.ts";

const openRecord = z.strictObject({ status: z.literal("open"), workspace_name: z.string(), next: z.string() });

/** Adds /auth/setup, the target of the first start's one-time link. */
export default function addSetup(api: Api): void {
  addPath(api, "/auth/setup", { tag: "Accounts", endpoints: [show, complete] });
}

const show = endpoint({
  method: "get",
  operationId: "checkSetupLink",
  needs: "public",
  summary: "Check whether the set-up link is still valid",
  query: tokenQuery,
  success: { status: 200, schema: openRecord },
  async handle({ c, services, query }) {
    const { workspace_name } = await checkSetup(services, query.token);
    const next = "POST {token, email, password, name?} as JSON to this URL to set up the owner's account.";
    return respondValue(c, { status: "open", workspace_name, next });
  },
});

const complete = endpoint({
  method: "post",
  operationId: "completeSetup",
  needs: "public",
  summary: "Set the e-mail address and password of the first workspace's owner, once",
  body: setupInput,
  success: { status: 201, schema: doneRecord },
  async handle({ c, services, body }) {
    const { email } = await setUp(services, body);
    return respondValue(c, { status: "done", email }, 201);
  },
});
