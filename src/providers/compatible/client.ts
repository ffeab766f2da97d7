import { APICallError } from "@ai-sdk/provider";
import type { ModelChunk, ModelClient, ModelRequest, ReportedUsage } from "#domain/models/model-call.ts";
import type { ModelCapabilities } from "#domain/models/model-catalogue.ts";
import { embedTexts } from "../ai-sdk/embed-texts.ts";
import { toModelError } from "../ai-sdk/model-error.ts";
import { readReply } from "../ai-sdk/reply-stream.ts";
import { COMMON_RULES } from "../fit/common-rules.ts";
import { fitRequest } from "../fit/fit-request.ts";
import { chatBody } from "./chat-body.ts";
import { readChatUsage } from "./chat-usage.ts";
import { embeddingModel } from "./embed.ts";
import { bodyOf, post } from "./post.ts";
import type { Endpoint } from "./post.ts";
import { findQuirk, fitBody } from "./quirks.ts";
import type { Quirk } from "./quirks.ts";
import { readChatStream } from "./read-chat-stream.ts";

const PATH = "/chat/completions";

/**
 * Creates a client of an endpoint with OpenAI's Chat Completions. It keeps what it learns of each model there.
 * @param capabilities what a model accepts; by default, nothing is known
 */
export function compatibleClient(
  endpoint: Endpoint,
  capabilities: (modelId: string) => ModelCapabilities = () => ({}),
): ModelClient {
  const { apiKey: secret } = endpoint;
  const learned = new Map<string, Set<Quirk>>();

  async function* stream(given: ModelRequest): AsyncGenerator<ModelChunk> {
    const { request, notes } = fitRequest(given, capabilities(given.model), COMMON_RULES);
    if (notes.length > 0) yield { type: "notes", notes };
    const known = learned.get(given.model) ?? new Set();
    learned.set(given.model, known);
    let contentType: string | undefined;
    let usage: ReportedUsage | undefined;
    try {
      const { response, notes: learnedNotes } = await call(endpoint, { request, known });
      contentType = response.headers.get("content-type") ?? undefined;
      given.onHeaders?.(Object.fromEntries(response.headers));
      if (learnedNotes.length > 0) yield { type: "notes", notes: learnedNotes };
      const parts = readChatStream(bodyOf(response, endpoint.baseUrl + PATH));
      yield* readReply(parts, (event) => (usage = readChatUsage(event, usage)));
    } catch (error) {
      if (APICallError.isInstance(error) && error.responseHeaders !== undefined)
        given.onHeaders?.(error.responseHeaders);
      throw toModelError(error, { secret, keyRejected: undefined, signal: request.signal, contentType, usage });
    }
  }

  return {
    stream,
    embed: (request) =>
      embedTexts(
        { call: { model: embeddingModel(endpoint, request.model), options: {} }, secret, keyRejected: undefined },
        request,
      ),
  };
}

/** Calls the endpoint, again when it says what it wants in another form; each such thing is learned once. */
async function call(
  endpoint: Endpoint,
  { request, known }: { readonly request: ModelRequest; readonly known: Set<Quirk> },
): Promise<{ readonly response: Response; readonly notes: readonly string[] }> {
  for (;;) {
    const { body, notes } = fitBody(chatBody(request), known);
    try {
      return { response: await post(endpoint, { path: PATH, body, signal: request.signal }), notes };
    } catch (error) {
      const { statusCode: status, responseBody: words = "" } = APICallError.isInstance(error) ? error : {};
      const quirk = findQuirk({ status, words }, known);
      if (quirk === undefined) throw error;
      known.add(quirk);
    }
  }
}
