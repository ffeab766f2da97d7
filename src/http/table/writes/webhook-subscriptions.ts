import { deleteSubscription } from "#db/queries/webhooks.ts";
import type { Writer } from "./writer.ts";

/** Webhook subscriptions are made where their secret can be shown, and ended here as well. */
export const webhookSubscriptionsWriter: Writer = {
  async remove({ tx }, id) {
    await deleteSubscription(tx, id);
  },
};
