import type { LanguageModelV4CallOptions, LanguageModelV4Message, SharedV4ProviderOptions } from "@ai-sdk/provider";

type Tool = NonNullable<LanguageModelV4CallOptions["tools"]>[number];

/** The mark of a breakpoint in Anthropic's API. */
export const ANTHROPIC_MARK: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

/**
 * Marks where Anthropic caches a prompt, with the four breakpoints that it allows: after the tools, after the system
 * prompt, after the last message, and after the message that was last in the call before. So each call of a loop reads
 * what the one before has written. https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
export function markCacheBreakpoints(
  options: LanguageModelV4CallOptions,
  mark: SharedV4ProviderOptions,
): LanguageModelV4CallOptions {
  const { prompt, tools = [] } = options;
  const marks = new Set([
    prompt.findLastIndex(({ role }) => role === "system"),
    prompt.length - 1,
    prompt.findLastIndex(({ role }) => role === "assistant") - 1,
  ]);
  return {
    ...options,
    prompt: prompt.map((message, index) => (marks.has(index) ? withMark(message, mark) : message)),
    ...(tools.length > 0 && {
      tools: tools.map((tool, index) => (index === tools.length - 1 ? marked(tool, mark) : tool)),
    }),
  };
}

function withMark(message: LanguageModelV4Message, mark: SharedV4ProviderOptions): LanguageModelV4Message {
  const { providerOptions } = message;
  return { ...message, providerOptions: { ...providerOptions, ...mark } };
}

function marked(tool: Tool, mark: SharedV4ProviderOptions): Tool {
  return tool.type === "function" ? { ...tool, providerOptions: { ...tool.providerOptions, ...mark } } : tool;
}
