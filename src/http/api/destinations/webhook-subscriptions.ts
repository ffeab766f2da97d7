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
import { pageQuery, readPage } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery, readId } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { hookRecord, newHookRecord } from "../teams/team-records.ts";
import { readBody } from "../../middleware/read-body.ts";

const TAG = "Webhooks";
const PATH = "/console/api/hooks";
/** Fields of a record that a client may send back with a change; they are ignored. */
const UNCHANGEABLE = Object.keys(hookRecord.omit({ is_active: true }).shape);

/** Adds /console/api/hooks: webhook subscriptions as in /api-hooks, and the rotation of their secrets. */
export default function addConsoleHooks(api: Api): void {
  const hookBody = hookCreate({ allowPrivate: api.services.allowPrivateUrls });
  addPath(api, PATH, { tag: TAG, endpoints: collection(hookBody) });
  addPath(api, `${PATH}/{id}`, { tag: TAG, endpoints: single() });
  addPath(api, `${PATH}/{id}/rotate`, { tag: TAG, endpoints: rotate() });
}

function collection(hookBody: ReturnType<typeof hookCreate>): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "listWebhookSubscriptions",
      summary: "List webhook subscriptions, newest first, including paused ones",
      query: pageQuery,
      success: { status: 200, schema: z.array(hookRecord) },
      async handle(c, services) {
        return respondPage(
          c,
          await listPage(services, c.get("principal"), { of: "hook", withPaused: true, ...readPage(c) }),
        );
      },
    },
    {
      method: "post",
      operationId: "createWebhookSubscription",
      summary: "Subscribe to an event; the secret is shown once",
      body: hookBody,
      success: { status: 201, schema: newHookRecord },
      async handle(c, services) {
        const input = await readBody(c, hookBody, HOOK_READ_ONLY);
        return respondValue(c, await subscribe(services, c.get("principal"), input), 201);
      },
    },
  ];
}

function single(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "getWebhookSubscription",
      summary: "Read a webhook subscription",
      params: idQuery,
      success: { status: 200, schema: hookRecord },
      handle: async (c, services) => respond(c, await getSubscription(services, c.get("principal"), readId(c))),
    },
    {
      method: "patch",
      operationId: "pauseWebhookSubscription",
      summary: "Pause or resume a webhook subscription",
      params: idQuery,
      body: hookPatch,
      success: { status: 200, schema: hookRecord },
      async handle(c, services) {
        const id = readId(c);
        const { is_active: isActive } = await readBody(c, hookPatch, UNCHANGEABLE);
        return respond(c, await pauseSubscription(services, c.get("principal"), { id, isActive }));
      },
    },
    {
      method: "delete",
      operationId: "deleteWebhookSubscription",
      summary: "Delete a webhook subscription",
      params: idQuery,
      success: { status: 204 },
      async handle(c, services) {
        await unsubscribe(services, c.get("principal"), readId(c));
        return c.body(null, 204);
      },
    },
  ];
}

function rotate(): Endpoint[] {
  return [
    {
      method: "post",
      operationId: "rotateWebhookSecret",
      summary: "Replace a subscription's secret, shown once; the old one stays valid for a day",
      params: idQuery,
      success: { status: 200, schema: newHookRecord },
      handle: async (c, services) => respondValue(c, await rotateSecret(services, c.get("principal"), readId(c))),
    },
  ];
}
