import { z } from "zod";
import { encryptPush, vapidAuthorization } from "#lib/security/web-push.ts";
import type { VapidKeys } from "#lib/security/web-push.ts";
import { secret, webhookUrl } from "../config/fields.ts";
import { defineDestination } from "../define-destination.ts";

/** What a device's service worker gets. */
export interface PushMessage {
  /** `question` shows a notification, `closed` closes it. */
  readonly type: "question" | "closed";
  /** Names the question: a later message with the same tag replaces what is shown. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  /** The path that a click opens. */
  readonly path: string;
}

/** A message, and how a push service treats it. */
export interface PushRequest {
  readonly message: PushMessage;
  /** How long the push service keeps it for a device that is offline, in seconds. */
  readonly ttl: number;
  readonly urgency: "normal" | "high";
  readonly vapid: VapidKeys;
  /** Whom push services can tell of problems, as mailto: or https:. */
  readonly contact: string;
}

/** The receiver of notifications on a person's device (RFC 8030). It is not in the registry: no output route has this type. */
export const webPush = defineDestination({
  type: "web_push",
  title: "Web push",
  description: "Notifies a person's device of a question.",
  config: z.strictObject({ endpoint: webhookUrl("Endpoint"), p256dh: secret("Key"), auth: secret("Secret") }),
  async deliver(context, { endpoint, ...keys }, { message, ttl, urgency, vapid, contact }: PushRequest) {
    await context.callUrl(endpoint, {
      body: encryptPush(JSON.stringify(message), keys),
      headers: {
        authorization: vapidAuthorization(vapid, { endpoint, contact, now: context.now.getTime() }),
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        ttl: String(ttl),
        urgency,
        topic: message.tag.replaceAll("-", ""),
      },
    });
  },
});
