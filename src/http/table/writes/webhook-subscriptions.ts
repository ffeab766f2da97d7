import { hookCreate } from "#domain/destinations/webhook.ts";
import { deleteSubscriptions } from "#db/queries/destinations/webhooks.ts";
import { subscribe } from "#operations/destinations/webhooks.ts";
import { checked } from "./rejections.ts";
import type { Writer } from "./writer.ts";

const TABLE = "webhook_subscriptions";

/**
 * Writes webhook subscriptions, by the rules of the workspace API. Secrets cannot be selected; rotation shows a new
 * one.
 */
export const webhookSubscriptionsWriter: Writer = {
  async insert({ workspace }, { id, ...row }) {
    const schema = hookCreate({ allowPrivate: workspace.allowPrivateUrls });
    await subscribe(workspace, { ...checked(TABLE, schema, row), id });
  },
  async remove({ tx }, ids) {
    await deleteSubscriptions(tx, ids);
  },
};
