import type { ConnectionFields } from "#domain/models/connection-fields.ts";
import { ModelError } from "#domain/models/model-call.ts";
import type { ModelChunk, ModelClient, ModelRequest } from "#domain/models/model-call.ts";

/** The statuses of a path that a server does not have. */
const NO_PATH: ReadonlySet<number | undefined> = new Set([404, 405]);
/** The words of a 404 that is about the model instead. */
const MODEL = /\bmodel\b/i;

/** The two ways to call an endpoint, and what is known of it. */
export interface EndpointApis {
  readonly responses: ModelClient;
  readonly chat: ModelClient;
  /** The one that it has; absent: a call finds out. */
  readonly api: ConnectionFields["api"];
  /** Called when a call has found that it has only Chat Completions. */
  readonly onChatOnly: (() => Promise<void>) | undefined;
}

/**
 * Creates a client for a gateway that may have no Responses API: after a call that says so, it uses Chat Completions.
 * If those are not there either, the first error counts.
 */
export function responsesOrChat({ responses, chat, api, onChatOnly }: EndpointApis): ModelClient {
  if (api !== undefined)
    return { ...responses, stream: (request) => (api === "chat" ? chat : responses).stream(request) };
  let isChat = false;

  async function* stream(request: ModelRequest): AsyncGenerator<ModelChunk> {
    if (isChat) return yield* chat.stream(request);
    try {
      yield* holdNotes(responses.stream(request));
    } catch (error) {
      if (!isWithoutPath(error)) throw error;
      yield* withoutResponses(request, error);
    }
  }

  async function* withoutResponses(request: ModelRequest, first: unknown): AsyncGenerator<ModelChunk> {
    try {
      for await (const chunk of chat.stream(request)) {
        if (!isChat && chunk.type !== "notes") {
          isChat = true;
          await onChatOnly?.();
        }
        yield chunk;
      }
    } catch (error) {
      throw isWithoutPath(error) ? first : error;
    }
  }

  return { ...responses, stream };
}

/** Holds notes back until the reply begins: those of a call that fails are not about the one after it. */
async function* holdNotes(chunks: AsyncIterable<ModelChunk>): AsyncGenerator<ModelChunk> {
  let held: ModelChunk[] = [];
  for await (const chunk of chunks) {
    held.push(chunk);
    if (chunk.type === "notes") continue;
    yield* held;
    held = [];
  }
}

function isWithoutPath(error: unknown): boolean {
  return error instanceof ModelError && NO_PATH.has(error.status) && !MODEL.test(error.message);
}
