/**
 * The demo model: deterministic, offline and without a key, to try and test everything without a provider. Its answers
 * begin with "Demo model (no AI):". Directives in the last user message control it:
 *
 * | Directive             | Effect                                                                      |
 * | --------------------- | --------------------------------------------------------------------------- |
 * | `[[tool:name {json}]]`| Calls the tool with these arguments (`{}` when left out).                   |
 * | `[[say:text]]`        | Answers exactly this text; beside a tool call, says it before the call.     |
 * | `[[think:text]]`      | Thinks this before what its line says or calls.                             |
 * | `[[fail:message]]`    | Fails with this message, as a provider that rejects the request.              |
 * | `[[slow:ms]]`         | Pauses this long before each word (15 ms when left out, 0 for no pause).    |
 * | `[[words:n]]`         | Makes the last answer n words long.                                         |
 *
 * Each line with `tool`, `say` or `fail` is one turn, in order; several `tool` directives on one line are parallel
 * calls. A line with only `say` ends the exchange; without one, the last answer names the first line of the message and
 * the tool results. `slow` and `words` may appear anywhere.
 *
 * The model is stateless: the turn is derived from the assistant messages after the message with the directives. If the
 * last user message has none, an earlier one with remaining turns applies: so the task of a discussion controls each
 * speaker, one line per turn. A pace applies until another one is given. Tokens are words.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ModelError, type ModelChunk, type ModelMessage, type ModelRequest } from "#domain/models/model-call.ts";
import { plainParts, replyText } from "#domain/models/reply-parts.ts";
import { defineProvider } from "./define-provider.ts";
import { composeAnswer } from "./demo-model/answer.ts";
import { parseScript, type Script, type Turn } from "./demo-model/directives.ts";

const DEFAULT_PAUSE_MS = 15;
/** The boundary between a word and the following spaces. */
const WORD_END = /(?<=\S)(?=\s)/;
const STOPPED = { reason: "stop", raw: "stop" } as const;
const CALLED = { reason: "tool_calls", raw: "tool_calls" } as const;

/** A built-in provider without AI, for trying the service without keys: it replies with what its prompt asks for. */
export default defineProvider({
  id: "demo",
  label: "Demo (no AI, offline)",
  testModel: "demo",
  requiresKey: false,
  requiresBaseUrl: false,
  models: [
    {
      id: "demo",
      label: "Demo model (no AI, offline)",
      promptPrice: 0,
      completionPrice: 0,
      contextWindow: 1_000_000,
      images: false,
    },
  ],
  connect: async () => ({ stream: answer }),
});

async function* answer(request: ModelRequest): AsyncGenerator<ModelChunk> {
  const { messages, signal } = request;
  const { script, exchange, turn } = findExchange(messages);
  if (turn?.failure !== undefined) {
    throw new ModelError("request", turn.failure);
  }
  const text = turn === undefined ? composeAnswer(script, exchange) : (turn.text ?? "");
  const thought = turn?.thought ?? "";
  const words = [
    ...wordsOf(thought).map((delta) => ({ type: "reasoning", delta }) as const),
    ...wordsOf(text).map((delta) => ({ type: "text", delta }) as const),
  ];
  for (const chunk of words) {
    await pause(script.pauseMs ?? lastPause(messages) ?? DEFAULT_PAUSE_MS, signal);
    yield chunk;
  }
  const calls = toToolCalls(turn, messages);
  await pause(0, signal);
  const promptTokens = messages.reduce((sum, message) => sum + countWords(contentOf(message)), 0);
  const called = calls.map((call) => `${call.name} ${call.arguments}`).join(" ");
  const reasoningTokens = countWords(thought);
  const completionTokens = reasoningTokens + countWords(text) + countWords(called);
  const end = calls.length === 0 ? STOPPED : CALLED;
  yield {
    type: "finish",
    parts: [...(thought === "" ? [] : [{ type: "reasoning", text: thought } as const]), ...plainParts(text, calls)],
    end,
    usage: { promptTokens, completionTokens, ...(thought !== "" && { reasoningTokens }) },
  };
}

/** A message with directives, the messages after it, and the next turn. */
interface Exchange {
  readonly script: Script;
  readonly exchange: readonly ModelMessage[];
  readonly turn: Turn | undefined;
}

function findExchange(messages: readonly ModelMessage[]): Exchange {
  const begin = messages.findLastIndex((message) => message.role === "user");
  const last = exchangeFrom(messages, begin);
  // A user message between a tool result and the answer must be taken into account.
  if (last.script.turns.length > 0 || messages[begin - 1]?.role === "tool") return last;
  const earlier = messages.findLastIndex((message) => scriptOf(message).turns.length > 0);
  const chosen = earlier === -1 ? last : exchangeFrom(messages, earlier);
  return chosen.turn === undefined ? last : chosen;
}

function exchangeFrom(messages: readonly ModelMessage[], begin: number): Exchange {
  const exchange = messages.slice(begin);
  const script = scriptOf(exchange[0]);
  return { script, exchange, turn: script.turns[exchange.filter(isAssistant).length] };
}

/** The directives of a message; only user messages have any. */
function scriptOf(message: ModelMessage | undefined): Script {
  return parseScript(message?.role === "user" ? message.content : "");
}

function lastPause(messages: readonly ModelMessage[]): number | undefined {
  return messages.map((message) => scriptOf(message).pauseMs).findLast((pauseMs) => pauseMs !== undefined);
}

function contentOf(message: ModelMessage | undefined): string {
  if (message === undefined) return "";
  switch (message.role) {
    case "tool":
      return message.output;
    case "assistant":
      return replyText(message.parts);
    default:
      return message.content;
  }
}

function isAssistant(message: ModelMessage): boolean {
  return message.role === "assistant";
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) {
    await sleep(ms, undefined, { signal }).catch(() => undefined); // only the signal ends it early
  }
  if (signal.aborted) {
    throw new ModelError("aborted", "The model call was aborted.");
  }
}

/** Call ids are unique in the conversation, and the same when a turn is repeated. */
function toToolCalls(turn: Turn | undefined, messages: readonly ModelMessage[]) {
  const turnNumber = messages.filter(isAssistant).length + 1;
  return (turn?.calls ?? []).map((call, index) => ({
    id: `demo_${turnNumber}_${index + 1}`,
    ...call,
  }));
}

/** Splits a text into words, each with the spaces before it; trailing spaces belong to the last word. */
function wordsOf(text: string): readonly string[] {
  const pieces = text.split(WORD_END);
  const last = pieces.pop() ?? "";
  if (last.trim() !== "") return [...pieces, last];
  const word = pieces.pop();
  return word === undefined ? [] : [...pieces, word + last];
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
