import { z } from "zod";

/** How many devices of a person get notifications. */
export const MAX_PUSH_DEVICES = 10;

const encoded = z.string().regex(/^[\w-]{1,200}$/, "must be base64url");

/** The body of POST /auth/push: a browser's `PushSubscription`, as it serializes it. */
export const pushDeviceInput = z.strictObject({
  endpoint: z.url().max(2_000).describe("The URL of the browser's push service for this device."),
  keys: z
    .strictObject({ p256dh: encoded, auth: encoded })
    .describe("With these, only the device can read what is sent (RFC 8291)."),
  expirationTime: z.number().nullish().describe("Ignored: a subscription that has ended is removed when it is used."),
});

/** See {@link pushDeviceInput}. */
export type PushDeviceInput = z.output<typeof pushDeviceInput>;

/** A device as its person sees it. */
export const pushDeviceRecord = z
  .strictObject({
    id: z.uuid(),
    user_agent: z.string().nullable().describe("The browser, as it calls itself."),
    service: z.string().describe("The host of its push service."),
    current: z.boolean().describe("Whether this session has turned it on."),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().describe("When the push service last accepted a notification."),
  })
  .meta({ id: "PushDevice" });

/** See {@link pushDeviceRecord}. */
export type PushDeviceRecord = z.output<typeof pushDeviceRecord>;

/** What is kept secret of a device: who knows it can send to it. */
export const pushTarget = z.strictObject({
  endpoint: z.string(),
  p256dh: z.string(),
  auth: z.string(),
});

/** See {@link pushTarget}. */
export type PushTarget = z.output<typeof pushTarget>;

/** The row to which the secrets of a device are bound. */
export function pushDeviceContext(id: string): string {
  return `push_devices:${id}`;
}

/** The row to which the private key for push services is bound. */
export function vapidKeyContext(publicKey: string): string {
  return `vapid_keys:${publicKey}`;
}
