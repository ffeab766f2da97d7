import { z } from "zod";
import { CHANNEL_READ_ONLY, channelCreate } from "#domain/destinations/trello-channel.ts";
import { createChannel, deleteChannel, getChannel } from "#operations/destinations/trello.ts";
import { listPage } from "#operations/list-records.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { inboundUrl } from "./inbound-trello.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/trello-channels";
const TAG = "Triggers";

const channelRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    name: z.string(),
    list_id: z.string().nullable(),
    is_active: z.boolean(),
    assigned_agent_id: z.uuid().nullable(),
    assigned_team_id: z.uuid().nullable(),
    priority: z.string(),
    created_by: z.uuid().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "TrelloChannel" });
const createdChannel = channelRecord
  .extend({ url: z.url().describe("The callback URL for the webhook at Trello.") })
  .meta({ id: "CreatedTrelloChannel" });

/** Adds /console/api/trello-channels: boards whose cards become tasks. */
export default function addTrelloChannels(api: Api): void {
  addPath(api, PATH, { tag: TAG, endpoints: [list, create] });
  addPath(api, `${PATH}/{id}`, { tag: TAG, endpoints: [read, remove] });
}

const list = endpoint({
  method: "get",
  operationId: "listTrelloChannels",
  summary: "List Trello channels, newest first",
  query: pageQuery,
  success: { status: 200, schema: z.array(channelRecord) },
  handle: async ({ c, workspace, query }) =>
    respondPage(c, await listPage(workspace, { of: "trello_channel", ...pageOf(query) })),
});

const create = endpoint({
  method: "post",
  operationId: "createTrelloChannel",
  needs: "admin",
  summary: "Create a Trello channel; its URL is the callback of a webhook at Trello",
  body: channelCreate,
  readOnly: CHANNEL_READ_ONLY,
  success: { status: 201, schema: createdChannel },
  async handle({ c, workspace, body }) {
    const record = channelRecord.parse(JSON.parse(await createChannel(workspace, body)));
    return respondValue(c, { ...record, url: inboundUrl(c, workspace, record.id) }, 201);
  },
});

const read = endpoint({
  method: "get",
  operationId: "getTrelloChannel",
  summary: "Read a Trello channel",
  params: idQuery,
  success: { status: 200, schema: channelRecord },
  handle: async ({ c, workspace, params }) => respond(c, await getChannel(workspace, params.id)),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteTrelloChannel",
  needs: "admin",
  summary: "Delete a Trello channel; its tasks remain",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteChannel(workspace, params.id),
});
