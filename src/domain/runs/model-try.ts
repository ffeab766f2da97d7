import { z } from "zod";

/** One try of a model call; times are in Unix milliseconds. */
export const modelTry = z.object({
  model: z.string(),
  started_at: z.int(),
  ended_at: z.int(),
  /** The HTTP status, 200 for the successful try; null without a response. */
  status: z.int().nullable(),
  /** The provider's message, with secrets redacted; null for the successful try. */
  message: z.string().nullable(),
  /** The pause before the next try, in milliseconds. */
  waited_ms: z.int(),
  retry_after_ms: z.int().optional().describe("The pause that the provider requested (Retry-After), in milliseconds."),
});

/** See {@link modelTry}. */
export type ModelTry = Readonly<z.output<typeof modelTry>>;

/** The bodies of request and response of a failed try, with secrets redacted. */
export const providerExchange = z.object({
  /** The number of the try, from 0. */
  try: z.int(),
  request: z.string(),
  response: z.string(),
});

/** See {@link providerExchange}. */
export type ProviderExchange = Readonly<z.output<typeof providerExchange>>;
