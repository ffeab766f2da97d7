const LABELS: Readonly<Record<string, string>> = {
  name: "Name",
  model: "Model",
  fallback_models: "Fallback models",
  provider: "Provider",
  system_prompt: "Prompt",
  temperature: "Temperature",
  max_tokens: "Max output tokens",
  reasoning: "Reasoning",
  output_schema: "Output schema",
  prompt_caching: "Prompt caching",
  tools: "Tools",
  voice_profile: "Voice",
  voice_profile_id: "Saved voice",
  output_template: "Output template",
  output_template_id: "Saved template",
  knowledge_base_ids: "Knowledge",
  config: "Config",
};

/** What people call a field of a version. */
export function fieldLabel(field: string): string {
  return LABELS[field] ?? field;
}
