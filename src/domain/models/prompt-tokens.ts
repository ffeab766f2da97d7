/** Upper bounds of the tokens that providers charge for an image, from their pricing pages. */
const IMAGE_TOKENS = 6_000;

/** What a model is sent, whose tokens are estimated. */
export interface EstimatedPrompt {
  readonly messages: readonly EstimatedMessage[];
  readonly tools: readonly unknown[];
}

/** Any message; images count by their number. */
interface EstimatedMessage {
  readonly role: string;
  readonly images?: readonly unknown[];
}

/** Estimates the tokens of a prompt from its bytes, on the safe side: budgets reserve by it. */
export function estimatePromptTokens({ messages, tools }: EstimatedPrompt, bytesPerToken: number): number {
  const words = messages.map((message) => ({ ...message, images: undefined }));
  return Math.ceil(bytesOf([words, tools]) / bytesPerToken) + picturesOf(messages) * IMAGE_TOKENS;
}

/**
 * Estimates the tokens of each message. With the tokens that the provider reported for the whole prompt, these are
 * divided in proportion; without, the estimates are those of {@link estimatePromptTokens}.
 */
export function estimateMessageTokens(
  { messages, tools }: EstimatedPrompt,
  { reported, bytesPerToken }: { readonly reported: number | undefined; readonly bytesPerToken: number },
): number[] {
  const sizes = messages.map((message) => estimateTokens(message, bytesPerToken));
  const whole = sizes.reduce((sum, size) => sum + size, bytesOf(tools) / bytesPerToken);
  const factor = reported === undefined || reported === 0 ? 1 : reported / whole;
  return sizes.map((size) => Math.round(size * factor));
}

/** Estimates the tokens of one message from its bytes, on the safe side. */
export function estimateTokens(message: EstimatedMessage, bytesPerToken: number): number {
  return bytesOf({ ...message, images: undefined }) / bytesPerToken + picturesOf([message]) * IMAGE_TOKENS;
}

function picturesOf(messages: readonly EstimatedMessage[]): number {
  return messages.reduce((sum, { images = [] }) => sum + images.length, 0);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
