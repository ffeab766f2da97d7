import type { Agent } from "../records.ts";
import { rulesIn } from "./rules.ts";
import type { Rule } from "./rules.ts";

/** What is "own" of an agent instead of a saved thing that several select. */
export const OWN = "own";

/** An agent in its form. Typed values stay text until they are sent. */
export interface AgentDraft {
  readonly name: string;
  readonly description: string;
  readonly tags: string;
  readonly model: string;
  readonly provider: string;
  readonly fallback_models: readonly string[];
  readonly system_prompt: string;
  /** Empty: none is sent. */
  readonly temperature: string;
  readonly max_tokens: string;
  /** Empty: the provider's default. */
  readonly effort: string;
  readonly show_reasoning: boolean;
  readonly prompt_caching: boolean;
  /** A JSON Schema as text; empty: any result. */
  readonly output_schema: string;
  readonly tools: readonly string[];
  /** Names of tools that run only after a person's approval. */
  readonly approvals: readonly string[];
  /** Rules on which calls people approve. */
  readonly rules: readonly Rule[];
  /** Who gives approvals; empty: the service's default. */
  readonly approvers: string;
  readonly cancel_on_disconnect: boolean;
  readonly voice: VoiceDraft;
  readonly template: TemplateDraft;
  readonly knowledge_base_ids: readonly string[];
  /** The rest of the config, as JSON text. */
  readonly config: string;
}

/** The agent's voice: none (empty), its own text, or a saved voice (its id). */
export interface VoiceDraft {
  readonly choice: string;
  readonly tone: string;
  readonly custom_instructions: string;
  readonly output_format_hints: string;
}

/** How its result is dressed; `choice` as of a {@link VoiceDraft}. */
export interface TemplateDraft {
  readonly choice: string;
  readonly type: string;
  readonly body: string;
}

/** The fields with what people call them, to name those with unsaved changes. */
const FIELDS = [
  ["name", "Name"],
  ["description", "Description"],
  ["tags", "Tags"],
  ["model", "Model"],
  ["provider", "Provider"],
  ["fallback_models", "Fallback models"],
  ["system_prompt", "Prompt"],
  ["temperature", "Temperature"],
  ["max_tokens", "Max output tokens"],
  ["effort", "Reasoning effort"],
  ["show_reasoning", "Reasoning in streams"],
  ["prompt_caching", "Prompt caching"],
  ["output_schema", "Output schema"],
  ["tools", "Tools"],
  ["approvals", "Approvals"],
  ["rules", "Rules on approvals"],
  ["approvers", "Approvers"],
  ["cancel_on_disconnect", "Cancelled on disconnect"],
  ["voice", "Voice"],
  ["template", "Output template"],
  ["knowledge_base_ids", "Knowledge"],
  ["config", "Config"],
] as const satisfies readonly (readonly [keyof AgentDraft, string])[];

/** The labels of the fields in which two drafts differ. */
export function changedLabels(before: AgentDraft, now: AgentDraft): readonly string[] {
  return FIELDS.filter(([field]) => !same(before[field], now[field])).map(([, label]) => label);
}

/** An agent that is yet to be made. */
export const NEW_DRAFT: AgentDraft = {
  name: "",
  description: "",
  tags: "",
  model: "demo",
  provider: "demo",
  fallback_models: [],
  system_prompt: "You are a helpful AI assistant.",
  temperature: "0.7",
  max_tokens: "",
  effort: "",
  show_reasoning: false,
  prompt_caching: true,
  output_schema: "",
  tools: [],
  approvals: [],
  rules: [],
  approvers: "",
  cancel_on_disconnect: false,
  voice: { choice: "", tone: "Custom", custom_instructions: "", output_format_hints: "" },
  template: { choice: "", type: "Markdown", body: "{{task_result}}" },
  knowledge_base_ids: [],
  config: "",
};

/** The draft of an agent as it is stored. */
export function draftOf(agent: Agent): AgentDraft {
  const {
    requires_approval: approvals,
    approvals: rules,
    approvers,
    cancel_on_disconnect: cancels,
    ...config
  } = agent.config;
  const { voice_profile: voice, output_template: template } = agent;
  return {
    name: agent.name,
    description: agent.description,
    tags: agent.tags.join(", "),
    model: agent.model,
    provider: agent.provider,
    fallback_models: agent.fallback_models,
    system_prompt: agent.system_prompt,
    temperature: agent.temperature === null ? "" : String(agent.temperature),
    max_tokens: agent.max_tokens === null ? "" : String(agent.max_tokens),
    effort: agent.reasoning.effort ?? "",
    show_reasoning: agent.reasoning.show,
    prompt_caching: agent.prompt_caching,
    output_schema: agent.output_schema === null ? "" : JSON.stringify(agent.output_schema, null, 2),
    tools: agent.tools,
    approvals: Array.isArray(approvals) ? approvals.filter((name) => typeof name === "string") : [],
    rules: rulesIn(rules),
    approvers: typeof approvers === "string" ? approvers : "",
    cancel_on_disconnect: cancels === true,
    voice: {
      choice: agent.voice_profile_id ?? (voice === null ? "" : OWN),
      tone: voice?.tone ?? "Custom",
      custom_instructions: voice?.custom_instructions ?? "",
      output_format_hints: voice?.output_format_hints ?? "",
    },
    template: {
      choice: agent.output_template_id ?? (template === null ? "" : OWN),
      type: template?.type ?? "Markdown",
      body: template?.body ?? "{{task_result}}",
    },
    knowledge_base_ids: agent.knowledge_base_ids,
    config: Object.keys(config).length === 0 ? "" : JSON.stringify(config, null, 2),
  };
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
