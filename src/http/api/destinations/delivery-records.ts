import { z } from "zod";

const time = z.iso.datetime();

/** A delivery as the API shows it; the view `delivery_records` renders it. */
export const deliveryRecord = z
  .strictObject({
    id: z.uuid().describe("Sent as X-Service-Delivery; the same on every attempt."),
    workspace_id: z.uuid(),
    event: z.string(),
    route_id: z.uuid().nullable(),
    subscription_id: z.uuid().nullable().describe("A webhook subscription, or an A2A push notification configuration."),
    target_name: z.string().describe("The route's name, or the URL of the subscription or configuration."),
    type: z.string().describe("The route's type, or webhook, a2a_push, web_push or mail."),
    task_id: z.uuid().nullable(),
    team_run_id: z.uuid().nullable(),
    is_test: z.boolean(),
    redelivery_of: z.uuid().nullable(),
    status: z.enum(["pending", "success", "failed"]),
    attempt_count: z.int(),
    http_code: z.int().nullable().describe("The HTTP status of the last attempt."),
    error: z.string().nullable().describe("The error of the last attempt."),
    next_attempt_at: time.nullable(),
    created_at: time,
    completed_at: time.nullable(),
  })
  .meta({ id: "Delivery" });

/** A delivery with its attempts. */
export const deliveryDetails = deliveryRecord
  .extend({
    attempts: z.array(
      z.strictObject({
        id: z.uuid(),
        attempt: z.int(),
        status: z.enum(["success", "failed"]),
        http_code: z.int().nullable(),
        error: z.string().nullable(),
        request: z.string().describe("Up to 8 KiB, without secrets."),
        response: z.string().describe("Up to 8 KiB, without secrets."),
        duration_ms: z.int(),
        created_at: time,
      }),
    ),
  })
  .meta({ id: "DeliveryDetails" });
