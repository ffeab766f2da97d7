import { createHmac } from "node:crypto";
import { TRACEPARENT } from "#domain/traces/trace-context.ts";
import type { DeliveryContext } from "../define-destination.ts";

/** The prefix of Standard Webhooks secrets (https://github.com/standard-webhooks/standard-webhooks). */
const STANDARD_PREFIX = "whsec_";

/** A webhook to post. */
export interface SignedPost {
  readonly url: string;
  readonly event: string;
  readonly body: string;
  /** The secrets that the receiver may verify with, the current one first; without any, the request is not signed. */
  readonly keys: readonly string[];
  /** Headers in addition to those of every webhook. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Posts a webhook. `X-Service-Signature` is the HMAC-SHA256 of the body with the current secret; while an older secret
 * is valid, `X-Service-Signature-Previous` contains its signature. A secret with the prefix `whsec_` adds the headers
 * of Standard Webhooks.
 */
export async function postSigned(context: DeliveryContext, post: SignedPost): Promise<void> {
  const { url, event, body, keys, headers } = post;
  const [current, previous] = keys;
  await context.callUrl(url, {
    body,
    headers: {
      ...headers,
      ...(context.traceparent !== undefined && { [TRACEPARENT]: context.traceparent }),
      "x-service-event": event,
      "x-service-delivery": context.deliveryId,
      "x-service-timestamp": context.now.toISOString(),
      ...(current !== undefined && { "x-service-signature": signatureOf(body, current) }),
      ...(previous !== undefined && { "x-service-signature-previous": signatureOf(body, previous) }),
      ...standardHeaders(context, body, keys),
    },
  });
}

function signatureOf(body: string, key: string): string {
  return `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
}

function standardHeaders(
  { deliveryId, now }: DeliveryContext,
  body: string,
  keys: readonly string[],
): Readonly<Record<string, string>> {
  const standard = keys.filter((key) => key.startsWith(STANDARD_PREFIX));
  if (standard.length === 0) return {};
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = standard.map((key) => {
    const bytes = Buffer.from(key.slice(STANDARD_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", bytes).update(`${deliveryId}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": deliveryId, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
