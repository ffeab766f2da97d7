import { z } from "zod";

const message = z.string().min(1);

/** Common error bodies: OpenAI, Anthropic, Google, OpenRouter, Ollama, plain proxies, FastAPI servers such as vLLM. */
const errorBody = z.union([
  z.object({ error: z.object({ message }) }).transform((body) => body.error.message),
  z.object({ error: message }).transform((body) => body.error),
  z.object({ message }).transform((body) => body.message),
  z.object({ detail: message }).transform((body) => body.detail),
]);

const streamReport = z.object({
  message,
  statusCode: z.int().optional().catch(undefined),
});

/** The message of an error inside a stream, and the status that the provider would have answered with. */
export type ProviderErrorBody = z.output<typeof streamReport>;

/** The provider's own message in an error response; undefined without one. */
export function parseProviderMessage(body: string | undefined): string | undefined {
  try {
    return errorBody.safeParse(JSON.parse(body ?? "")).data;
  } catch {
    return undefined;
  }
}

/** The provider's own message in an error inside a stream. */
export function parseProviderErrorBody(report: unknown): ProviderErrorBody {
  return z
    .union([streamReport, message.transform((text): ProviderErrorBody => ({ message: text }))])
    .catch({ message: "The provider reported an error without a message." })
    .parse(report);
}
