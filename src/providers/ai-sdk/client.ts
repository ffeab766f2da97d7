import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { EmbeddingUse } from "#domain/models/embedding.ts";
import type { ModelChunk, ModelClient, ModelRequest } from "#domain/models/model-call.ts";
import { toChunks } from "./chunks.ts";
import { embedTexts } from "./embed-texts.ts";
import type { EmbeddingCall } from "./embed-texts.ts";
import { toModelError } from "./model-error.ts";
import { toCallOptions } from "./prompt.ts";

/** How to reach a vendor through one of the AI SDK's provider packages. */
export interface AiSdkConnection {
  /** The provider package's model with this id. */
  readonly languageModel: (modelId: string) => LanguageModelV4;
  /** The package's embedding model with this id, for vectors of this use; absent where the vendor has none. */
  readonly embeddingModel?: (modelId: string, use: EmbeddingUse) => EmbeddingCall;
  /** The connection's key, so that it can be cut from error messages. */
  readonly secret: string | undefined;
  /** What a rejection with the status 400 says where it is the key that was rejected; absent where that is 401. */
  readonly keyRejected?: RegExp;
}

/**
 * A model client on top of an AI SDK provider package. It calls the package's language model directly:
 * our engine has its own loop and its own retries.
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

async function* streamAnswer(
  { languageModel, secret, keyRejected }: AiSdkConnection,
  request: ModelRequest,
): AsyncGenerator<ModelChunk> {
  try {
    const { stream } = await languageModel(request.model).doStream(toCallOptions(request));
    yield* toChunks(stream);
  } catch (error) {
    throw toModelError(error, { secret, keyRejected, signal: request.signal });
  }
}
