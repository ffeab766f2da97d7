import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createParser } from "eventsource-parser";
import { ModelError } from "#domain/models/model-call.ts";
import { isRecord } from "#lib/is-record.ts";
import { ProviderStreamError, hasError } from "../ai-sdk/provider-stream-error.ts";
import { chatChunk } from "./chat-chunk.ts";
import { chatUsage } from "./chat-usage.ts";
import type { ChatDelta, ChatUsage } from "./chat-chunk.ts";
import { createCallGathering } from "./gather-calls.ts";
import { createDetailGathering } from "./gather-details.ts";
import { OWN_DATA, REASONING_CONTENT, REASONING_DETAILS } from "./reasoning-field.ts";
import { createThinkingSplit } from "./split-thinking.ts";
import type { Words } from "./split-thinking.ts";

const DONE = "[DONE]";

/**
 * Reads a streamed reply of Chat Completions. Chunks of another form are skipped, numbers may be texts.
 * @throws ProviderStreamError with an error that the endpoint reports inside the stream
 */
export async function* readChatStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<LanguageModelV4StreamPart> {
  const reply = createChatReply();
  let isDone = false;
  for await (const data of eventsOf(body)) {
    if (data === DONE) isDone = true;
    else yield* reply.add(parse(data));
  }
  yield* reply.end(isDone);
}

async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* events;
    events = [];
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new ModelError("cut", "The provider sent an answer that cannot be read: an event that is no JSON.");
  }
}

function createChatReply() {
  const thinking = createThinkingSplit();
  const calls = createCallGathering();
  const details = createDetailGathering();
  let open: { readonly type: Words["type"]; readonly id: string } | undefined;
  let written = 0;
  let finish: string | undefined;
  let usage: ChatUsage | undefined;

  function* write({ type, delta }: Words, field?: string): Generator<LanguageModelV4StreamPart> {
    if (open?.type !== type) {
      yield* close();
      open = { type, id: String(written++) };
      const providerMetadata = field === undefined ? {} : { providerMetadata: { [OWN_DATA]: { field } } };
      yield { type: `${type}-start`, id: open.id, ...providerMetadata };
    }
    yield { type: `${type}-delta`, id: open.id, delta };
  }

  function* close(): Generator<LanguageModelV4StreamPart> {
    if (open !== undefined) yield { type: `${open.type}-end`, id: open.id };
    open = undefined;
  }

  function* addDelta(delta: ChatDelta): Generator<LanguageModelV4StreamPart> {
    const { content, refusal, reasoning_content: own, reasoning, tool_calls: pieces } = delta;
    const thought = own ?? reasoning;
    if (thought != null && thought !== "") {
      yield* write({ type: "reasoning", delta: thought }, own == null ? undefined : REASONING_CONTENT);
    }
    for (const part of typeof content === "string" ? [{ type: "text" as const, text: content }] : (content ?? [])) {
      if (part.type === "thinking")
        yield* write({ type: "reasoning", delta: part.thinking.map(({ text }) => text).join("") });
      else if (part.text !== "") for (const words of thinking.add(part.text)) yield* write(words);
    }
    if (refusal != null && refusal !== "") yield* write({ type: "text", delta: refusal });
    pieces?.forEach(calls.add);
    delta.reasoning_details?.forEach(details.add);
  }

  /** A part without words, which only goes back to the endpoint. */
  function* ownDetails(): Generator<LanguageModelV4StreamPart> {
    const all = details.all();
    if (all.length === 0) return;
    const providerMetadata = { [OWN_DATA]: { [REASONING_DETAILS]: [...all] } };
    yield { type: "reasoning-start", id: REASONING_DETAILS, providerMetadata };
    yield { type: "reasoning-end", id: REASONING_DETAILS };
  }

  return {
    *add(given: unknown): Generator<LanguageModelV4StreamPart> {
      if (isFailure(given)) throw new ProviderStreamError(given);
      const { data: chunk } = chatChunk.safeParse(given);
      const [choice] = chunk?.choices ?? [];
      usage = chunk?.usage ?? choice?.usage ?? usage;
      yield { type: "raw", rawValue: given };
      if (choice?.delta != null) yield* addDelta(choice.delta);
      finish = choice?.finish_reason ?? finish;
    },
    *end(isDone: boolean): Generator<LanguageModelV4StreamPart> {
      for (const words of thinking.flush()) yield* write(words);
      yield* close();
      yield* ownDetails();
      const made = calls.all();
      yield* made;
      const finishReason = finishOf(finish ?? (isDone && (written > 0 || made.length > 0) ? "stop" : undefined));
      yield { type: "finish", finishReason, usage: chatUsage(usage) };
    },
  };
}

/** An error inside the stream; a chunk may have one beside its choices. */
function isFailure(given: unknown): boolean {
  return hasError(given) || (isRecord(given) && (given["object"] === "error" || given["type"] === "error"));
}

const REASONS: Readonly<Record<string, LanguageModelV4FinishReason["unified"]>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  // The endpoint gave up: OpenRouter's and DeepSeek's words.
  error: "error",
  insufficient_system_resource: "error",
};

function finishOf(raw: string | undefined): LanguageModelV4FinishReason {
  return raw === undefined ? { unified: "interrupted", raw } : { unified: REASONS[raw] ?? "other", raw };
}
