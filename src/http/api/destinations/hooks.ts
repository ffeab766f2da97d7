import { z } from "zod";
import { HOOK_READ_ONLY, hookCreate } from "#domain/destinations/webhook.ts";
import { listPage } from "#operations/list-records.ts";
import { getSubscription, subscribe, unsubscribe } from "#operations/destinations/webhooks.ts";
import { listQuery } from "../shape/list-query.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { hookRecord, newHookRecord } from "../teams/team-records.ts";
import { endpoint } from "../shape/endpoint.ts";

/** Adds /api-hooks. */
export default function addHooks(api: Api): void {
  const hookBody = hookCreate({ allowPrivate: api.services.allowPrivateUrls });
  addPath(api, "/functions/v1/api-hooks", {
    tag: "Webhooks",
    endpoints: [
      endpoint({
        method: "get",
        operationId: "listHooks",
        readsOneAs: "getHook",
        summary: "List active webhook subscriptions, newest first, or read one",
        query: listQuery,
        success: { status: 200, schema: z.union([z.array(hookRecord), hookRecord]) },
        async handle({ c, workspace, query }) {
          const { id, limit, cursor } = query;
          if (id !== undefined) return respond(c, await getSubscription(workspace, id));
          return respondPage(c, await listPage(workspace, { of: "hook", ...pageOf({ limit, cursor }) }));
        },
      }),
      endpoint({
        method: "post",
        operationId: "createHook",
        summary: "Subscribe to an event; the secret is shown once",
        body: hookBody,
        readOnly: HOOK_READ_ONLY,
        success: { status: 201, schema: newHookRecord },
        handle: async ({ c, workspace, body }) => respondValue(c, await subscribe(workspace, body), 201),
      }),
      endpoint({
        method: "delete",
        operationId: "deleteHook",
        summary: "Delete a subscription",
        query: idQuery,
        success: { status: 204 },
        handle: ({ workspace, query }) => unsubscribe(workspace, query.id),
      }),
    ],
  });
}
