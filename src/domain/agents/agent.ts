import { z } from "zod";
import { approvers } from "../tasks/approvers.ts";
import type { Approvers } from "../tasks/approvers.ts";
import { approvalPolicy } from "../approvals/policy.ts";
import type { ApprovalPolicy } from "../approvals/policy.ts";
import { displayName } from "../display-name.ts";
import { givenId } from "../given-id.ts";
import { REASONING_EFFORTS } from "../models/model-catalogue.ts";
import { MAX_FALLBACKS, rejectContradiction } from "./fallback-models.ts";
import { outputTemplate } from "./output-template.ts";
import { voiceProfile } from "./voice.ts";
import { TOO_LONG, isWithinSizeLimit } from "../free-form.ts";

/** The states of an agent. They are derived from its tasks, never written. */
export const AGENT_STATUSES = ["idle", "running", "failed"] as const;

const MAX_TAGS = 20;
const MAX_TOOLS = 100;
const MAX_KNOWLEDGE_BASES = 100;

const name = displayName(100);
const modelId = z.string().min(1).max(200);
const tools = z.array(z.string().min(1).max(128)).max(MAX_TOOLS);
const tags = z.array(displayName(50)).max(MAX_TAGS);
const marketplaceTags = tags
  .refine((given) => new Set(given).size === given.length, "must not contain a tag twice")
  .describe("Tags for search in the marketplace.");

const fallbackModels = z
  .array(modelId)
  .max(MAX_FALLBACKS)
  .refine((given) => new Set(given).size === given.length, "must not contain a model twice")
  .describe("Called in this order when the model fails.");

/** The field `reasoning` of an agent. */
export const agentReasoning = z
  .strictObject({
    effort: z
      .enum(REASONING_EFFORTS)
      .nullable()
      .describe("How much the model thinks before it replies; null: the provider's default."),
    show: z.boolean().describe("Whether the streams of its runs contain its reasoning."),
  })
  .describe("How the model reasons.");

const NO_REASONING = { effort: null, show: false } as const;

/** How an agent's models reason. */
export type AgentReasoning = Readonly<z.output<typeof agentReasoning>>;

const outputSchema = z
  .record(z.string(), z.unknown())
  .describe("A JSON Schema. The agent's result is then JSON text that satisfies it; null: any text.");

/** The limits of a context window that an agent's config gives, in tokens. */
const MIN_WINDOW = 2_000;
const MAX_WINDOW = 100_000_000;

/** The field `config` of an agent. */
export const agentConfig = z
  .looseObject({
    requires_approval: tools.optional(),
    approvers: approvers.optional(),
    approvals: approvalPolicy.optional(),
    cancel_on_disconnect: z.boolean().optional(),
    context_window: z.int().min(MIN_WINDOW).max(MAX_WINDOW).optional(),
  })
  .refine(isWithinSizeLimit, TOO_LONG)
  .describe(
    "Free-form, except for requires_approval, the names of tools that run only after a person's approval; approvers, who may give it: people (default), members or caller; approvals, rules on which calls of tools people approve; cancel_on_disconnect, whether a run that an AG-UI client has started is cancelled when that client disconnects and nobody else follows the run; and context_window, the tokens that its model takes, if that is not in the catalogue or less is wanted.",
  );

const fields = z.strictObject({
  name,
  description: z.string().max(10_000),
  model: modelId,
  fallback_model: modelId
    .nullable()
    .describe("The head of fallback_models. A model replaces the first and keeps the others; null empties the list."),
  fallback_models: fallbackModels,
  provider: z.string().min(1).max(100),
  system_prompt: z.string().max(100_000),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .describe("0 is deterministic, higher is more creative; null: the provider's default."),
  max_tokens: z.int().min(1).max(1_000_000).nullable().describe("The maximum length of a reply, in tokens."),
  reasoning: agentReasoning,
  output_schema: outputSchema.nullable(),
  prompt_caching: z.boolean().describe("Whether providers may cache the beginning of prompts, which costs less."),
  tags,
  tools,
  voice_profile: voiceProfile.nullable(),
  voice_profile_id: givenId.nullable().describe("A saved voice profile; overrides voice_profile."),
  output_template: outputTemplate.nullable(),
  output_template_id: givenId.nullable().describe("A saved output template; overrides output_template."),
  knowledge_base_ids: z
    .array(givenId)
    .max(MAX_KNOWLEDGE_BASES)
    .describe("The bases that knowledge_search searches; []: all of the workspace."),
  output_route_ids: z.array(givenId).nullable().describe("null: every active route; []: none; a list: only those."),
  is_marketplace: z.boolean(),
  marketplace_tags: marketplaceTags,
  is_mcp_published: z.boolean(),
  is_a2a_published: z.boolean(),
  config: agentConfig,
});

/** The body of POST /api-agents. */
export const agentCreate = fields
  .extend({
    description: fields.shape.description.default(""),
    fallback_model: fields.shape.fallback_model.optional(),
    fallback_models: fallbackModels.optional(),
    provider: fields.shape.provider.optional().describe("By default derived from the model."),
    system_prompt: fields.shape.system_prompt.default("You are a helpful AI assistant."),
    temperature: fields.shape.temperature.default(0.7),
    max_tokens: fields.shape.max_tokens.default(null),
    reasoning: agentReasoning
      .extend({
        effort: agentReasoning.shape.effort.default(NO_REASONING.effort),
        show: agentReasoning.shape.show.default(NO_REASONING.show),
      })
      .default(NO_REASONING),
    output_schema: fields.shape.output_schema.default(null),
    prompt_caching: fields.shape.prompt_caching.default(true),
    tags: tags.default([]),
    tools: fields.shape.tools.default([]),
    voice_profile: fields.shape.voice_profile.default(null),
    voice_profile_id: fields.shape.voice_profile_id.default(null),
    output_template: fields.shape.output_template.default(null),
    output_template_id: fields.shape.output_template_id.default(null),
    knowledge_base_ids: fields.shape.knowledge_base_ids.default([]),
    output_route_ids: fields.shape.output_route_ids.default(null),
    is_marketplace: z.boolean().default(false),
    marketplace_tags: marketplaceTags.default([]),
    is_mcp_published: z.boolean().default(false),
    is_a2a_published: z.boolean().default(false),
    config: fields.shape.config.default({}),
    needs_review: z
      .boolean()
      .optional()
      .describe("Whether it waits for a review, as a copy from the marketplace does. Later it can only become false."),
    status: z.enum(AGENT_STATUSES).optional().describe("Ignored: an agent starts as idle."),
  })
  .superRefine(rejectContradiction)
  .describe("An agent: a model with a prompt and tools.");

/** An agent to create, validated and with defaults. */
export type AgentCreate = z.output<typeof agentCreate>;

/** Returns the context window that an agent's config gives its model, in tokens; undefined without one. */
export function windowOf(config: Readonly<Record<string, unknown>>): number | undefined {
  return agentConfig.safeParse(config).data?.context_window;
}

/** Returns the tools for which an agent's config requires a person's approval. @throws ZodError: no call is made unasked */
export function approvalTools(config: Readonly<Record<string, unknown>>): readonly string[] {
  return agentConfig.parse(config).requires_approval ?? [];
}

/** Returns who may approve what an agent must not do alone; people by default. @throws ZodError */
export function approversOf(config: Readonly<Record<string, unknown>>): Approvers {
  return agentConfig.parse(config).approvers ?? "people";
}

/** Returns an agent's own rules on which calls people approve. @throws ZodError: no call is made unasked */
export function rulesOf(config: Readonly<Record<string, unknown>>): ApprovalPolicy {
  return agentConfig.parse(config).approvals ?? [];
}

/** The body of PATCH /api-agents. */
export const agentPatch = fields
  .extend({
    reasoning: agentReasoning.partial().describe("How the model reasons. Absent fields stay."),
    needs_review: z
      .boolean()
      .describe("false confirms a copy from the marketplace, which can then work. It cannot be set to true."),
  })
  .partial()
  .superRefine(rejectContradiction)
  .describe("The fields of an agent to change.");

/** Changes to an agent, validated. */
export type AgentPatch = z.output<typeof agentPatch>;

/** Fields that a client may send back from a record; they are ignored. */
export const AGENT_READ_ONLY = [
  "id",
  "workspace_id",
  "install_count",
  "version",
  "created_by",
  "created_at",
  "updated_at",
] as const;
