import type { components } from "#client/gen/schema.ts";
import { changedFields } from "../../../lib/changed-fields.ts";
import { jsonObject } from "../../../forms/json-object.ts";
import { TEMPLATE_TYPES, TONES } from "../../saved/kinds.ts";
import { OWN } from "./draft.ts";
import { EFFORTS } from "./model-settings.ts";
import type { AgentDraft } from "./draft.ts";

type Fields = components["schemas"]["Agent"];

/**
 * A draft as the API takes it for a new agent.
 * @throws Problem at `config` or `output_schema` when its text is no JSON object; the server validates the rest
 */
export function bodyOf(draft: AgentDraft) {
  const { choice: voice } = draft.voice;
  const { choice: template } = draft.template;
  return {
    name: draft.name.trim(),
    description: draft.description,
    tags: listOf(draft.tags),
    model: draft.model.trim(),
    provider: draft.provider,
    fallback_models: draft.fallback_models.map((model) => model.trim()).filter((model) => model !== ""),
    system_prompt: draft.system_prompt,
    temperature: draft.temperature.trim() === "" ? null : Number(draft.temperature),
    max_tokens: draft.max_tokens.trim() === "" ? null : Number(draft.max_tokens),
    reasoning: { effort: EFFORTS.find((effort) => effort === draft.effort) ?? null, show: draft.show_reasoning },
    prompt_caching: draft.prompt_caching,
    output_schema: draft.output_schema.trim() === "" ? null : jsonObject(draft.output_schema, "output_schema"),
    tools: [...draft.tools],
    voice_profile: voice === OWN ? ownVoice(draft) : null,
    voice_profile_id: voice === OWN || voice === "" ? null : voice,
    output_template: template === OWN ? ownTemplate(draft) : null,
    output_template_id: template === OWN || template === "" ? null : template,
    knowledge_base_ids: [...draft.knowledge_base_ids],
    config: configOf(draft),
  };
}

/** The body of a new agent. */
type AgentBody = ReturnType<typeof bodyOf>;

/** The fields that differ between two drafts, for a change. @throws as {@link bodyOf} */
export function patchOf(before: AgentDraft, draft: AgentDraft): Partial<AgentBody> {
  return changedFields(bodyOf(draft), bodyOf(before));
}

/** The parts of a text with commas. */
export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function ownVoice({ voice }: AgentDraft): NonNullable<Fields["voice_profile"]> {
  return {
    tone: TONES.find((tone) => tone === voice.tone) ?? "Custom",
    ...(voice.custom_instructions !== "" && { custom_instructions: voice.custom_instructions }),
    ...(voice.output_format_hints !== "" && { output_format_hints: voice.output_format_hints }),
  };
}

function ownTemplate({ template }: AgentDraft): NonNullable<Fields["output_template"]> {
  return { type: TEMPLATE_TYPES.find((type) => type === template.type) ?? "Custom", body: template.body };
}

function configOf({ config, approvals, rules, approvers, cancel_on_disconnect }: AgentDraft): Fields["config"] {
  return {
    ...jsonObject(config, "config"),
    ...(approvals.length > 0 && { requires_approval: [...approvals] }),
    ...(rules.length > 0 && { approvals: [...rules] }),
    ...(approvers !== "" && { approvers }),
    ...(cancel_on_disconnect && { cancel_on_disconnect }),
  };
}
