import { z } from "zod";
import { KEY_SCOPES } from "#domain/access/api-key.ts";
import { appClient } from "#domain/access/connected-app.ts";
import { disconnectApp, listApps } from "#operations/access/connected-apps.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/apps";
const time = z.iso.datetime();

const appRecord = z
  .strictObject({
    id: z.uuid().describe("The id of the app's key."),
    name: z.string(),
    app: appClient,
    scopes: z.array(z.enum(KEY_SCOPES)),
    agents: z.array(z.uuid()).nullable(),
    teams: z.array(z.uuid()).nullable(),
    person: z.string().describe("Who connected it."),
    created_by: z.uuid(),
    last_used_at: time.nullable(),
    created_at: time,
  })
  .meta({ id: "ConnectedApp" });

/** Adds /console/api/apps: programs that people connected by OAuth. */
export default function addApps(api: Api): void {
  addPath(api, PATH, { tag: "Keys", endpoints: [list] });
  addPath(api, `${PATH}/{id}`, { tag: "Keys", endpoints: [disconnect] });
}

const list = endpoint({
  method: "get",
  operationId: "listApps",
  summary: "List connected apps, newest first, at most 500: yours; for admins, those of all members",
  success: { status: 200, schema: z.array(appRecord) },
  handle: async ({ c, workspace }) => respondValue(c, await listApps(workspace)),
});

const disconnect = endpoint({
  method: "delete",
  operationId: "disconnectApp",
  needs: "viewer",
  summary: "Disconnect an app immediately: yours; for admins, any of the workspace",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => disconnectApp(workspace, params.id),
});
