import { z } from "zod";
import { HOOK_READ_ONLY, hookCreate } from "#domain/destinations/webhook.ts";
import { listPage } from "#operations/list-records.ts";
import { getSubscription, subscribe, unsubscribe } from "#operations/destinations/webhooks.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { readBody, readQuery } from "../../middleware/read-body.ts";
import { listQuery } from "../shape/list-query.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { hookRecord, newHookRecord } from "../teams/team-records.ts";

/** Adds /api-hooks. */
export default function addHooks(api: Api): void {
  const hookBody = hookCreate({ allowPrivate: api.services.allowPrivateUrls });
  addPath(api, "/functions/v1/api-hooks", {
    tag: "Webhooks",
    endpoints: [
      {
        method: "get",
        operationId: "listHooks",
        readsOneAs: "getHook",
        summary: "List active webhook subscriptions, newest first, or read one",
        query: listQuery,
        success: { status: 200, schema: z.union([z.array(hookRecord), hookRecord]) },
        handle: read,
      },
      {
        method: "post",
        operationId: "createHook",
        summary: "Subscribe to an event; the secret is shown once",
        body: hookBody,
        success: { status: 201, schema: newHookRecord },
        handle: create,
      },
      {
        method: "delete",
        operationId: "deleteHook",
        summary: "Delete a subscription",
        query: idQuery,
        success: { status: 204 },
        handle: remove,
      },
    ],
  });

  async function read(c: HttpContext, services: HttpServices): Promise<Response> {
    const { id, limit, cursor } = readQuery(c, listQuery);
    const who = c.get("principal");
    if (id !== undefined) return respond(c, await getSubscription(services, who, id));
    return respondPage(c, await listPage(services, who, { of: "hook", ...pageOf({ limit, cursor }) }));
  }

  async function create(c: HttpContext, services: HttpServices): Promise<Response> {
    const input = await readBody(c, hookBody, HOOK_READ_ONLY);
    return respondValue(c, await subscribe(services, c.get("principal"), input), 201);
  }

  async function remove(c: HttpContext, services: HttpServices): Promise<Response> {
    await unsubscribe(services, c.get("principal"), readQuery(c, idQuery).id);
    return c.body(null, 204);
  }
}
