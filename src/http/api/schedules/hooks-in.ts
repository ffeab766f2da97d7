import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { NO_LIMIT } from "#domain/access/plan.ts";
import type { Delivery } from "#domain/schedules/trigger.ts";
import { openTrigger, receiveDelivery } from "#operations/schedules/receive-delivery.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { readParams } from "../../middleware/read-body.ts";
import { setHeader } from "../../middleware/set-header.ts";

/** The prefix of a trigger's URL; the rest is a secret. */
export const HOOKS_ROOT = "/hooks/in/";

/** The headers by which senders identify their deliveries; the first one present counts. */
const KEY_HEADERS = ["Idempotency-Key", "X-GitHub-Delivery", "X-Service-Delivery", "Webhook-Id", "X-Delivery-Id"];
const KEY = /^[\x20-\x7e]{1,255}$/;
const SIGNATURE_HEADERS = ["X-Hub-Signature-256", "X-Service-Signature"];

const tokenParam = z.object({ token: z.string().max(100) });
const accepted = z.strictObject({ task_id: z.uuid() }).meta({ id: "AcceptedDelivery" });

/** Adds the URLs of triggers: a request creates a task from its body. */
export default function addHooksIn(api: Api): void {
  addPath(api, `${HOOKS_ROOT}{token}`, {
    tag: "Triggers",
    endpoints: [
      {
        method: "post",
        operationId: "deliverToTrigger",
        needs: "public",
        summary: "Deliver to a trigger; the token in the URL authenticates the request",
        params: tokenParam,
        success: { status: 202, schema: accepted },
        handle: take,
      },
    ],
  });
}

async function take(c: HttpContext, services: HttpServices): Promise<Response> {
  const trigger = await openTrigger(services, readParams(c, tokenParam).token);
  await countDelivery(services, c, trigger);
  const { taskId, isRepeated } = await receiveDelivery(services, trigger, await deliveryOf(c));
  if (isRepeated) setHeader(c, "Idempotent-Replayed", "true");
  return c.json({ task_id: taskId }, 202);
}

async function countDelivery(
  { limits }: HttpServices,
  c: HttpContext,
  trigger: { readonly id: string; readonly workspaceId: string },
): Promise<void> {
  const { passes, allowed, remaining, resetAt, retryAfter } = await limits.takeTrigger(trigger);
  if (allowed !== NO_LIMIT) {
    setHeader(c, "X-RateLimit-Limit", String(allowed));
    setHeader(c, "X-RateLimit-Remaining", String(remaining));
    setHeader(c, "X-RateLimit-Reset", String(resetAt));
  }
  if (passes) return;
  throw new AppError("rate_limit_exceeded", `The trigger has used all ${allowed} deliveries for this minute.`, {
    headers: { "Retry-After": String(retryAfter) },
  });
}

async function deliveryOf(c: HttpContext): Promise<Delivery> {
  const key = firstHeader(c, KEY_HEADERS);
  if (key !== undefined && !KEY.test(key)) {
    throw new AppError("bad_request", "The id of a delivery must be 1 to 255 printable characters.");
  }
  return {
    body: new Uint8Array(await c.req.arrayBuffer()),
    contentType: c.req.header("Content-Type") ?? "",
    key,
    signature: firstHeader(c, SIGNATURE_HEADERS),
  };
}

function firstHeader(c: HttpContext, names: readonly string[]): string | undefined {
  return names.map((name) => c.req.header(name)).find((value) => value !== undefined);
}
