import { z } from "zod";
import { KEY_SCOPES } from "#domain/access/api-key.ts";
import { appClient } from "#domain/access/connected-app.ts";
import { ROLES } from "#domain/access/role.ts";
import { appDecision, connectApp, connectableWorkspaces } from "#operations/access/connected-apps.ts";
import { endpoint } from "../api/shape/endpoint.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";

const uidParams = z.strictObject({
  uid: z.string().min(1).max(100).describe("The request, as the URL of the consent page names it."),
});

const requestRecord = z
  .strictObject({
    client: appClient,
    scopes: z.array(z.enum(KEY_SCOPES)),
    workspaces: z.array(
      z.strictObject({
        id: z.uuid(),
        name: z.string(),
        role: z.enum(ROLES),
        agents: z
          .array(z.strictObject({ id: z.uuid(), name: z.string() }))
          .describe("Its published agents, oldest first, at most 100: those that the app sees without a limit."),
      }),
    ),
  })
  .meta({ id: "AppRequest" });
const decidedRecord = z
  .strictObject({ url: z.string().describe("Where the browser goes next, and from there back to the app.") })
  .meta({ id: "DecidedAppRequest" });

/** Adds /auth/app-requests/{uid}: what a program asks for by OAuth, and a person's decision. */
export default function addAppRequests(api: Api): void {
  addPath(api, "/auth/app-requests/{uid}", { tag: "Accounts", endpoints: [read, decide] });
}

const read = endpoint({
  method: "get",
  operationId: "readAppRequest",
  needs: "session",
  summary: "Read what an app asks for; only in the browser in which it began to",
  params: uidParams,
  success: { status: 200, schema: requestRecord },
  async handle({ c, services, who, params }) {
    const { findAppRequest } = await import("../oauth/app-request.ts");
    const { client, scopes } = await findAppRequest(services, c, params.uid);
    return respondValue(c, { client, scopes, workspaces: await connectableWorkspaces(services, who) });
  },
});

const decide = endpoint({
  method: "post",
  operationId: "decideAppRequest",
  needs: "session",
  summary: "Allow an app to use a workspace in your name, or deny it",
  params: uidParams,
  body: appDecision,
  success: { status: 200, schema: decidedRecord },
  async handle({ c, services, who, params, body }) {
    const { finishAppRequest, findAppRequest } = await import("../oauth/app-request.ts");
    const request = await findAppRequest(services, c, params.uid);
    if (body.decision === "deny") return respondValue(c, { url: await finishAppRequest(services, c, undefined) });
    await connectApp(services, who, { request, consent: body });
    const url = await finishAppRequest(services, c, { request, userId: who.userId, scopes: body.scopes });
    return respondValue(c, { url });
  },
});
