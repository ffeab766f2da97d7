import { z } from "zod";
import { defineDestination } from "../define-destination.ts";
import { endpointUrl } from "../config/fields.ts";
import { postSigned } from "./post-signed.ts";

/** The receiver of a webhook subscription. It is not in the registry, because no output route has this type. */
export const webhookSubscription = defineDestination({
  type: "webhook",
  title: "Webhook subscription",
  description: "Posts the payload with the id of the task, run or audit entry, signed.",
  config: z.strictObject({
    url: endpointUrl("URL"),
    secret: z.string().meta({ title: "Secret", writeOnly: true }),
    previous_secret: z.string().optional().meta({ title: "Previous Secret", writeOnly: true }),
  }),
  async deliver(context, { url, secret, previous_secret: previous }, payload) {
    const body = JSON.stringify({
      id: payload.task_id ?? payload.team_run_id ?? payload.audit_entry?.["id"],
      ...payload,
    });
    const keys = previous === undefined ? [secret] : [secret, previous];
    await postSigned(context, { url, event: payload.event, body, keys });
  },
});
