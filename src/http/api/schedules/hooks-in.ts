import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import type { Delivery } from "#domain/schedules/trigger.ts";
import { openTrigger, receiveDelivery } from "#operations/schedules/receive-delivery.ts";
import type { HttpContext } from "../../context.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { countDelivery } from "../../middleware/rate-limit.ts";
import { setHeader } from "../../middleware/set-header.ts";
import { endpoint } from "../shape/endpoint.ts";
import { HOOKS_ROOT } from "#domain/schedules/trigger.ts";

/** The headers by which senders identify their deliveries; the first one present counts. */
const KEY_HEADERS = ["Idempotency-Key", "X-GitHub-Delivery", "X-Service-Delivery", "Webhook-Id", "X-Delivery-Id"];
const KEY = /^[\x20-\x7e]{1,255}$/;

const tokenParam = z.object({ token: z.string().max(100) });
const accepted = z.strictObject({ task_id: z.uuid() }).meta({ id: "AcceptedDelivery" });
/** The response to a sender's check of the URL. */
const checked = z
  .union([z.strictObject({ challenge: z.string() }), z.strictObject({ ok: z.literal(true) })])
  .meta({ id: "CheckedUrl" });

/** Adds the URLs of triggers: a request creates a task from its body. */
export default function addHooksIn(api: Api): void {
  addPath(api, `${HOOKS_ROOT}{token}`, { tag: "Triggers", endpoints: [take] });
}

const take = endpoint({
  method: "post",
  operationId: "deliverToTrigger",
  needs: "public",
  summary: "Deliver to a trigger; the token in the URL authenticates the request",
  params: tokenParam,
  success: { status: 202, schema: z.union([accepted, checked]) },
  async handle({ c, services, params }) {
    const trigger = await openTrigger(services, params.token);
    c.set("workspaceId", trigger.workspaceId);
    await countDelivery(services, c, trigger);
    const received = await receiveDelivery(services, trigger, await deliveryOf(c));
    if (!("taskId" in received)) return c.json(received, 200);
    const { taskId, isRepeated } = received;
    if (isRepeated) setHeader(c, "Idempotent-Replayed", "true");
    return c.json({ task_id: taskId }, 202);
  },
});

async function deliveryOf(c: HttpContext): Promise<Delivery> {
  const key = firstHeader(c, KEY_HEADERS);
  if (key !== undefined && !KEY.test(key)) {
    throw new AppError("bad_request", "The id of a delivery must be 1 to 255 printable characters.");
  }
  return {
    body: new Uint8Array(await c.req.arrayBuffer()),
    contentType: c.req.header("Content-Type") ?? "",
    key,
    header: (name) => c.req.header(name),
  };
}

function firstHeader(c: HttpContext, names: readonly string[]): string | undefined {
  return names.map((name) => c.req.header(name)).find((value) => value !== undefined);
}
