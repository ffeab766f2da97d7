import { z } from "zod";
import { defineDestination } from "../define-destination.ts";
import { endpointUrl } from "../config/fields.ts";
import { postSigned } from "./post-signed.ts";

/** A task in a notification to an A2A client. */
export interface PushNotification {
  readonly event: string;
  /** The body, in the client's protocol version. */
  readonly task: object;
}

/**
 * The receiver of A2A push notifications. It is not in the registry, because no output route has this type. Requests
 * are authenticated with what the client configured: its token, which also signs the body, and the credentials of a
 * scheme (https://a2a-protocol.org/v0.3.0/specification/#95-push-notification-setup-and-usage).
 */
export const pushNotification = defineDestination({
  type: "a2a_push",
  title: "A2A push notification",
  description: "Posts the task, with the client's token and credentials.",
  config: z.strictObject({
    url: endpointUrl("URL"),
    token: z.string().optional().meta({ title: "Token", writeOnly: true }),
    auth_scheme: z.string().optional().meta({ title: "Authentication scheme" }),
    credentials: z.string().optional().meta({ title: "Credentials", writeOnly: true }),
  }),
  async deliver(context, { url, token, auth_scheme: scheme, credentials }, { event, task }: PushNotification) {
    await postSigned(context, {
      url,
      event,
      body: JSON.stringify(task),
      keys: token === undefined ? [] : [token],
      headers: {
        ...(token !== undefined && { "x-a2a-notification-token": token }),
        ...(scheme !== undefined && credentials !== undefined && { authorization: `${scheme} ${credentials}` }),
      },
    });
  },
});
