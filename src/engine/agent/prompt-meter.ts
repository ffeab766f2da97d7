import type { ModelMessage } from "#domain/models/model-call.ts";
import { estimateTokens } from "#domain/models/prompt-tokens.ts";

/** A prompt, and the tokens that a provider counted for it. */
export interface CountedPrompt {
  readonly tokens: number;
  readonly messages: readonly ModelMessage[];
}

/** Estimates the tokens of the messages of a run. */
export interface PromptMeter {
  /** The tokens of a message; for one that a model has received, in proportion to what its provider counted. */
  sizeOf(message: ModelMessage): number;
  /**
   * Tells it how many tokens a provider counted for a prompt.
   * @param others the estimated tokens of what is in the prompt beside the messages
   */
  counted(prompt: CountedPrompt, others: number): void;
  /** The estimated tokens of all, with those beside the messages. */
  total(messages: readonly ModelMessage[], others: number): number;
}

/** Creates a meter. What no provider has counted yet is estimated on the safe side, by bytes per token. */
export function createPromptMeter(bytesPerToken: number): PromptMeter {
  const estimates = new WeakMap<ModelMessage, number>();
  const received = new WeakSet<ModelMessage>();
  let factor = 1;

  function estimateOf(message: ModelMessage): number {
    const known = estimates.get(message) ?? estimateTokens(message, bytesPerToken);
    estimates.set(message, known);
    return known;
  }
  const sum = (messages: readonly ModelMessage[], size: (message: ModelMessage) => number) =>
    messages.reduce((all, message) => all + size(message), 0);
  const sizeOf = (message: ModelMessage) => estimateOf(message) * (received.has(message) ? factor : 1);

  return {
    sizeOf,
    counted({ tokens, messages }, others) {
      factor = tokens / (sum(messages, estimateOf) + others);
      for (const message of messages) received.add(message);
    },
    total: (messages, others) => sum(messages, sizeOf) + others * factor,
  };
}
