import type { ModelRequest } from "#domain/models/model-call.ts";

/** Models that think as much as they need; the first of them only if an effort is set, newer ones in any case. */
const ADAPTIVE = /claude-(?:opus-4-[6-9]|sonnet-4-6|(?:opus|sonnet|haiku|fable)-[5-9])/;
const ALWAYS_ADAPTIVE = /claude-(?:opus|sonnet|haiku|fable)-[5-9]/;

/** How Claude is asked for its thinking. */
export type AdaptiveThinking = {
  readonly type: "adaptive";
  readonly display: "summarized" | "omitted";
};

/**
 * How a model of Claude, on any platform, is asked for a readable form of its thinking; undefined for its default.
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export function adaptiveThinking({ model, effort, summary }: ModelRequest): AdaptiveThinking | undefined {
  const isThinking = effort === undefined ? summary !== undefined && ALWAYS_ADAPTIVE.test(model) : ADAPTIVE.test(model);
  if (!isThinking || effort === "none") return undefined;
  return { type: "adaptive", display: summary === undefined ? "omitted" : "summarized" };
}
