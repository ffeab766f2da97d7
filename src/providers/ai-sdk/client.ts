import { APICallError } from "@ai-sdk/provider";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { EmbeddingUse } from "#domain/models/embedding.ts";
import type { ModelChunk, ModelClient, ModelRequest, ReportedUsage } from "#domain/models/model-call.ts";
import type { ModelCapabilities } from "#domain/models/model-catalogue.ts";
import { fitRequest } from "../fit/fit-request.ts";
import type { FitRule } from "../fit/fit-request.ts";
import { embedTexts } from "./embed-texts.ts";
import type { EmbeddingCall } from "./embed-texts.ts";
import { toModelError } from "./model-error.ts";
import { toCallOptions } from "./prompt.ts";
import { readReply } from "./reply-stream.ts";
import type { ReadUsage } from "./reported-usage.ts";

/** How to reach a provider with one of the AI SDK's provider packages. */
export interface AiSdkConnection {
  /** The provider package's model with this id. */
  readonly languageModel: (modelId: string) => LanguageModelV4;
  /** The package's embedding model with this id, for this use; absent when the provider has none. */
  readonly embeddingModel?: (modelId: string, use: EmbeddingUse) => EmbeddingCall;
  /** What the model with this id accepts; for an unknown model, what the provider's models usually do. */
  readonly capabilities: (modelId: string) => ModelCapabilities;
  /** How requests are fitted to the provider. */
  readonly rules: readonly FitRule[];
  /** Reads usage from the provider's events; absent where only the last one has it. */
  readonly readUsage?: ReadUsage;
  /** Adds the package's own options to a call; absent when it has none. */
  readonly finish?: (options: LanguageModelV4CallOptions, request: ModelRequest) => LanguageModelV4CallOptions;
  /** The connection's key, so that it can be removed from error messages. */
  readonly secret: string | undefined;
  /** The text of a 400 response that means a rejected key; absent for providers that answer 401. */
  readonly keyRejected?: RegExp;
}

/**
 * Creates a model client from an AI SDK provider package. It calls the package's language model directly, because the
 * engine has its own loop and retries.
 */
export function aiSdkClient(connection: AiSdkConnection): ModelClient {
  const { embeddingModel, secret, keyRejected } = connection;
  return {
    stream: (request) => streamAnswer(connection, request),
    ...(embeddingModel && {
      embed: (request) =>
        embedTexts({ call: embeddingModel(request.model, request.use), secret, keyRejected }, request),
    }),
  };
}

async function* streamAnswer(connection: AiSdkConnection, given: ModelRequest): AsyncGenerator<ModelChunk> {
  const { languageModel, capabilities, rules, readUsage, finish, secret, keyRejected } = connection;
  const { request, notes } = fitRequest(given, capabilities(given.model), rules);
  if (notes.length > 0) yield { type: "notes", notes };
  let contentType: string | undefined;
  let usage: ReportedUsage | undefined;
  try {
    const options = { ...toCallOptions(request), includeRawChunks: readUsage !== undefined };
    const { stream, response } = await languageModel(request.model).doStream(finish?.(options, request) ?? options);
    contentType = response?.headers?.["content-type"];
    given.onHeaders?.(response?.headers ?? {});
    yield* readReply(stream, (event) => (usage = readUsage?.(event, usage)));
  } catch (error) {
    if (APICallError.isInstance(error) && error.statusCode !== undefined)
      given.onHeaders?.(error.responseHeaders ?? {});
    throw toModelError(error, { secret, keyRejected, signal: request.signal, contentType, usage });
  }
}
