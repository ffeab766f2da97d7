import { z } from "zod";
import { attachmentRecord } from "#domain/files/attachments.ts";
import { TEAM_MODE_NAMES } from "#domain/teams/team-mode.ts";
import { DELEGATION_STATUSES } from "#domain/teams/delegation.ts";
import { MEMBER_ROLES } from "#domain/teams/team-members.ts";
import { MESSAGE_TYPES, RUN_STATUSES } from "#domain/teams/team-run.ts";
import { WEBHOOK_EVENTS } from "#domain/destinations/webhook.ts";
import { openQuestion } from "#domain/tasks/open-question.ts";
import { finishReason, usageRecord } from "../shape/records.ts";

const time = z.iso.datetime();

/** A team as the API shows it; the view `team_records` renders it. */
export const teamRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    name: z.string(),
    description: z.string(),
    mode: z.enum(TEAM_MODE_NAMES),
    config: z.record(z.string(), z.unknown()).describe("Depends on the mode; a config without agents is a draft."),
    output_route_ids: z.array(z.uuid()).nullable(),
    is_marketplace: z.boolean(),
    members: z.array(
      z.strictObject({
        id: z.uuid(),
        agent_id: z.uuid(),
        role: z.enum(MEMBER_ROLES),
        position: z.int(),
        config: z.record(z.string(), z.unknown()),
      }),
    ),
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Team" });

/** A team run as the API shows it; the view `team_run_records` renders it. */
export const runRecord = z
  .strictObject({
    id: z.uuid(),
    team_id: z.uuid().nullable().describe("null when the team was deleted."),
    workspace_id: z.uuid(),
    task_id: z.uuid().nullable().describe("The task that the run works on."),
    status: z.enum(RUN_STATUSES),
    input_task: z.string(),
    output: z.string().nullable(),
    error: z.string().nullable(),
    interaction: z.union([openQuestion, z.null()]),
    current_step_idx: z.int().nullable(),
    usage: usageRecord,
    attempt: z.int(),
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
    started_at: time.nullable(),
    completed_at: time.nullable(),
    forked_from: z
      .strictObject({ run_id: z.uuid(), from_step: z.int() })
      .nullable()
      .describe("The run whose earlier results this one took over, and the step at which it started."),
    attachments: z.array(attachmentRecord).describe("Its input files, and the output files of the current attempt."),
    finish_reason: finishReason,
    output_truncated: z
      .boolean()
      .describe("Whether this is a list, and `output`, of more than 64 KiB, only has its first 4,096 characters."),
  })
  .meta({ id: "Run" });

/** A single run with its agents' messages and delegations; the view `team_run_details` renders it. */
export const runWithMessages = runRecord
  .extend({
    messages: z.array(
      z.strictObject({
        id: z.uuid(),
        run_id: z.uuid(),
        sender_agent_id: z.uuid().nullable(),
        receiver_agent_id: z.uuid().nullable(),
        message_type: z.enum(MESSAGE_TYPES),
        content: z.string(),
        metadata: z.record(z.string(), z.unknown()),
        step_idx: z.int().nullable(),
        tokens_used: z.int(),
        created_at: time,
      }),
    ),
    delegations: z
      .array(
        z.strictObject({
          id: z.uuid(),
          run_id: z.uuid(),
          key: z.string().describe("The brain's name for it: d1, d2, …"),
          agent_id: z.uuid().describe("The worker."),
          instruction: z.string(),
          status: z.enum(DELEGATION_STATUSES),
          result: z.string().nullable().describe("The worker's newest result."),
          error: z.string().nullable().describe("Why the worker failed."),
          score: z.number().nullable().describe("The brain's score of the result, from 0 to 1."),
          revisions: z.int(),
          tokens_used: z.int().describe("Prompt and completion tokens of the worker."),
          created_at: time,
          updated_at: time,
        }),
      )
      .describe("The delegations of an orchestrator's brain to its workers."),
    usage_by_turn: z
      .array(
        usageRecord.extend({
          turn: z.string().describe("step:1:attempt:0, turn:3, brain, delegation:<tool call>, …"),
          agent_id: z.uuid(),
          model_calls: z.int(),
        }),
      )
      .describe("The usage of each agent turn in the current attempt, in order."),
  })
  .meta({ id: "RunWithMessages" });

/** A webhook subscription as the API shows it; the view `webhook_subscription_records` renders it. */
export const hookRecord = z
  .strictObject({
    id: z.uuid(),
    target_url: z.string(),
    event: z.enum(WEBHOOK_EVENTS),
    agent_id: z.uuid().nullable(),
    team_id: z.uuid().nullable(),
    is_active: z.boolean(),
    created_at: time,
  })
  .meta({ id: "WebhookSubscription" });

/** The response that creates a subscription: the only one with its secret. */
export const newHookRecord = hookRecord
  .extend({ secret: z.string().describe("Signs the deliveries; shown once.") })
  .meta({ id: "NewWebhookSubscription" });
