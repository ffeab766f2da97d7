import { hookCreate } from "#domain/destinations/webhook.ts";
import { deleteSubscription } from "#db/queries/destinations/webhooks.ts";
import { subscribe } from "#operations/destinations/webhooks.ts";
import { checked } from "./refusals.ts";
import type { Writer } from "./writer.ts";

const TABLE = "webhook_subscriptions";

/**
 * Webhook subscriptions, by the rules of the workspace API. No secret can be selected here: rotating it shows a new one.
 */
export const webhookSubscriptionsWriter: Writer = {
  async insert({ services, who }, { id, ...row }) {
    const schema = hookCreate({ allowPrivate: services.allowPrivateUrls });
    await subscribe(services, who, { ...checked(TABLE, schema, row), id });
  },
  async remove({ tx }, id) {
    await deleteSubscription(tx, id);
  },
};
