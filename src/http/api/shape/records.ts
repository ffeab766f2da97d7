import { z } from "zod";
import { AGENT_STATUSES } from "#domain/agents/agent.ts";
import { attachmentRecord } from "#domain/files/attachments.ts";
import { REASONING_EFFORTS } from "#domain/models/model-catalogue.ts";
import { outputTemplate } from "#domain/agents/output-template.ts";
import { FINISH_REASONS } from "#domain/models/reply-parts.ts";
import { taskPriority } from "#domain/tasks/task.ts";
import { TASK_STATUSES } from "#domain/tasks/task-status.ts";
import { voiceProfile } from "#domain/agents/voice.ts";
import { openQuestion } from "#domain/tasks/open-question.ts";

const time = z.iso.datetime();

/** The usage of the current attempt. */
export const usageRecord = z.strictObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_tokens: z.int().describe("The prompt tokens that the provider read from its cache."),
  cache_write_tokens: z.int().describe("The prompt tokens that the provider wrote to its cache."),
  reasoning_tokens: z.int().describe("The completion tokens of reasoning."),
  total_tokens: z.int(),
  cost_usd: z.number(),
});

/** Why the last reply of a completed run ended. */
export const finishReason = z
  .enum(FINISH_REASONS)
  .nullable()
  .describe("Why the last reply of a completed run ended: its result may be incomplete unless it is `stop`.");

/** An agent as the API shows it; the view `agent_records` renders it. */
export const agentRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    name: z.string(),
    description: z.string(),
    model: z.string(),
    fallback_model: z.string().nullable().describe("The head of fallback_models."),
    fallback_models: z.array(z.string()),
    provider: z.string(),
    system_prompt: z.string(),
    temperature: z.number().nullable(),
    max_tokens: z.int().nullable(),
    reasoning: z.strictObject({ effort: z.enum(REASONING_EFFORTS).nullable(), show: z.boolean() }),
    output_schema: z.record(z.string(), z.unknown()).nullable(),
    prompt_caching: z.boolean(),
    tags: z.array(z.string()),
    tools: z.array(z.string()),
    status: z.enum(AGENT_STATUSES),
    voice_profile: voiceProfile.nullable(),
    voice_profile_id: z.uuid().nullable(),
    output_template: outputTemplate.nullable(),
    output_template_id: z.uuid().nullable(),
    knowledge_base_ids: z.array(z.uuid()),
    output_route_ids: z.array(z.uuid()).nullable(),
    is_marketplace: z.boolean(),
    marketplace_tags: z.array(z.string()),
    install_count: z.int(),
    is_mcp_published: z.boolean(),
    is_a2a_published: z.boolean(),
    config: z.record(z.string(), z.unknown()),
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
    version: z.int().describe("Grows with each change that affects the agent's runs."),
    needs_review: z.boolean().describe("True for a copy from the marketplace until it is confirmed; it cannot work."),
  })
  .meta({ id: "Agent" });

/** A task as the API shows it; the view `task_records` renders it. */
export const taskRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    title: z.string(),
    description: z.string(),
    priority: taskPriority,
    status: z.enum(TASK_STATUSES),
    assigned_agent_id: z.uuid().nullable(),
    assigned_team_id: z.uuid().nullable(),
    team_run_id: z.uuid().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    result: z.string().nullable(),
    error: z.string().nullable(),
    interaction: z.union([openQuestion, z.null()]),
    usage: usageRecord,
    attempt: z.int(),
    scheduled_for: time.nullable(),
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
    dispatched_at: time.nullable(),
    started_at: time.nullable(),
    completed_at: time.nullable(),
    agent_version: z.int().nullable().describe("The agent version of the current attempt; null before it starts."),
    attachments: z.array(attachmentRecord).describe("Its input files, and the output files of the current attempt."),
    finish_reason: finishReason,
    result_truncated: z
      .boolean()
      .describe("Whether this is a list, and `result`, of more than 64 KiB, only has its first 4,096 characters."),
  })
  .meta({ id: "Task" });

/** The caller as the API shows it. */
export const identityRecord = z
  .strictObject({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    workspace_id: z.uuid(),
    workspace_name: z.string(),
    plan: z.enum(["free", "pro", "team", "enterprise"]),
    api_version: z.int(),
  })
  .meta({
    id: "Identity",
    examples: [
      {
        id: "01a1f0c2-5a30-7000-8000-000000000009",
        email: "ada@example.org",
        name: "Ada",
        workspace_id: "01a1f0c2-5a30-7000-8000-00000000000a",
        workspace_name: "Analytical Engines",
        plan: "pro",
        api_version: 1,
      },
    ],
  });
