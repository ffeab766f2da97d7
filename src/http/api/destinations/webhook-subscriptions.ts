import { z } from "zod";
import { HOOK_READ_ONLY, hookCreate, hookPatch } from "#domain/destinations/webhook.ts";
import { listPage } from "#operations/list-records.ts";
import {
  getSubscription,
  pauseSubscription,
  rotateSecret,
  subscribe,
  unsubscribe,
} from "#operations/destinations/webhooks.ts";
import type { Endpoint } from "../shape/endpoint.ts";
import { textFilter } from "../shape/list-query.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { hookRecord, newHookRecord } from "../teams/team-records.ts";
import { endpoint } from "../shape/endpoint.ts";

const TAG = "Webhooks";
const PATH = "/console/api/hooks";
/** Fields of a record that a client may send back with a change; they are ignored. */
const UNCHANGEABLE = Object.keys(hookRecord.omit({ is_active: true }).shape);

/** Adds /console/api/hooks: webhook subscriptions as in /api-hooks, and the rotation of their secrets. */
export default function addConsoleHooks(api: Api): void {
  const hookBody = hookCreate({ allowPrivate: api.services.allowPrivateUrls });
  addPath(api, PATH, { tag: TAG, endpoints: [list, create(hookBody)] });
  addPath(api, `${PATH}/{id}`, { tag: TAG, endpoints: [read, change, remove] });
  addPath(api, `${PATH}/{id}/rotate`, { tag: TAG, endpoints: [rotate] });
}

const list = endpoint({
  method: "get",
  operationId: "listWebhookSubscriptions",
  summary: "List webhook subscriptions, newest first, including paused ones",
  query: pageQuery.extend({ q: textFilter("A part of the URL, ignoring case, or the start of the id.") }),
  success: { status: 200, schema: z.array(hookRecord) },
  handle: async ({ c, workspace, query: { q, ...page } }) =>
    respondPage(c, await listPage(workspace, { of: "hook", ...pageOf(page), fields: { url: q } })),
});

function create(hookBody: ReturnType<typeof hookCreate>): Endpoint {
  return endpoint({
    method: "post",
    operationId: "createWebhookSubscription",
    summary: "Subscribe to an event; the secret is shown once",
    body: hookBody,
    readOnly: HOOK_READ_ONLY,
    success: { status: 201, schema: newHookRecord },
    handle: async ({ c, workspace, body }) => respondValue(c, await subscribe(workspace, body), 201),
  });
}

const read = endpoint({
  method: "get",
  operationId: "getWebhookSubscription",
  summary: "Read a webhook subscription",
  params: idQuery,
  success: { status: 200, schema: hookRecord },
  handle: async ({ c, workspace, params }) => respond(c, await getSubscription(workspace, params.id)),
});

const change = endpoint({
  method: "patch",
  operationId: "pauseWebhookSubscription",
  summary: "Pause or resume a webhook subscription",
  params: idQuery,
  body: hookPatch,
  readOnly: UNCHANGEABLE,
  success: { status: 200, schema: hookRecord },
  async handle({ c, workspace, params, body }) {
    const { is_active: isActive } = body;
    return respond(c, await pauseSubscription(workspace, { id: params.id, isActive }));
  },
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteWebhookSubscription",
  summary: "Delete a webhook subscription",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => unsubscribe(workspace, params.id),
});

const rotate = endpoint({
  method: "post",
  operationId: "rotateWebhookSecret",
  summary: "Replace a subscription's secret, shown once; the old one stays valid for a day",
  params: idQuery,
  success: { status: 200, schema: newHookRecord },
  handle: async ({ c, workspace, params }) => respondValue(c, await rotateSecret(workspace, params.id)),
});
