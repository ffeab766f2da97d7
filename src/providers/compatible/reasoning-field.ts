/** The key of our data in a part of a reply. */
export const OWN_DATA = "openai-compatible";

/** The field that DeepSeek, Moonshot and others want back with a tool's result. */
export const REASONING_CONTENT = "reasoning_content";

/** The field that OpenRouter wants back unmodified: https://openrouter.ai/docs/use-cases/reasoning-tokens */
export const REASONING_DETAILS = "reasoning_details";
