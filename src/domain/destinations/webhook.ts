import { randomBytes } from "node:crypto";
import { z } from "zod";
import { outgoingUrlIssue } from "./outgoing-url.ts";
import { givenId } from "../given-id.ts";

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** The events of webhook subscriptions. */
export const WEBHOOK_EVENTS = [
  "task_started",
  "task_completed",
  "task_failed",
  "task_waiting_for_input",
  "team_run_started",
  "team_run_completed",
  "team_run_failed",
  "audit_recorded",
] as const;

/** The body of POST /api-hooks. @param urls whether plain HTTP to this machine is allowed */
export function hookCreate(urls: { readonly allowPrivate: boolean }) {
  return z
    .strictObject({
      target_url: z
        .url()
        .max(2_000)
        .superRefine((url, context) => {
          const message = URL.canParse(url) ? outgoingUrlIssue(new URL(url), urls) : undefined;
          if (message !== undefined) context.addIssue({ code: "custom", message });
        })
        .describe("The URL for deliveries; https."),
      event: z
        .preprocess(withUnderscores, z.enum(WEBHOOK_EVENTS))
        .describe("task.completed is accepted as task_completed; audit_recorded is for admins."),
      agent_id: givenId.nullish().describe("Only events of this agent's tasks."),
      team_id: givenId.nullish().describe("Only events of this team's runs."),
    })
    .superRefine((hook, context) => {
      if (hook.event !== "audit_recorded") return;
      for (const field of ["agent_id", "team_id"] as const) {
        if (hook[field] == null) continue;
        context.addIssue({ code: "custom", path: [field], message: "audit_recorded is of the whole workspace" });
      }
    })
    .describe("A subscription to an event of the workspace.");
}

/** A subscription to create, validated. */
export type HookCreate = z.output<ReturnType<typeof hookCreate>>;

/** The body of PATCH /console/api/hooks/{id}. */
export const hookPatch = z
  .strictObject({ is_active: z.boolean().describe("false: paused; events during the pause are not delivered.") })
  .describe("Pauses or resumes a subscription.");

/** Fields that a client may send back from a record; they are ignored. */
export const HOOK_READ_ONLY = ["id", "is_active", "created_at"] as const;

/** Generates a secret of 256 random bits that signs deliveries. */
export function generateHookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** The row to which an encrypted secret is bound. */
export function hookSecretContext(workspaceId: string, hookId: string): string {
  return `webhook_subscriptions:${workspaceId}:${hookId}`;
}

function withUnderscores(event: unknown): unknown {
  return typeof event === "string" ? event.replace(/^(task|team_run|audit)\./, "$1_") : event;
}
