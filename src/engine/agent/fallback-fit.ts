import { ModelError } from "#domain/models/model-call.ts";
import type { ModelMessage, ToolSpec } from "#domain/models/model-call.ts";
import { estimatePromptTokens, estimateTokens } from "#domain/models/prompt-tokens.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { knownWindow, promptRoom } from "../run/context-window.ts";
import { countOlder, endOfReplies, extractOf, inPlaceOf, taskOf, withoutMiddle } from "./older-turns.ts";

/** The parts of the room of a fallback model that the newest messages, and extracts of the older ones, may fill. */
const NEWEST_SHARE = 1 / 2;
const EXTRACTS_SHARE = 1 / 4;
/** Hardly any text has more bytes per token: what is too long by this estimate cannot fit. */
const MAX_BYTES_PER_TOKEN = 5;

/** A prompt for a fallback model. */
interface FallbackPrompt {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
}

/**
 * Shortens a conversation for a fallback model whose context window is smaller, without a call: of the older turns it
 * gets extracts, and of long results in the newest ones the beginning and the end. What a model with the same room
 * would get stays as it is.
 */
export function fitToFallback(
  engine: EngineServices,
  run: Run,
  { model, messages, tools }: FallbackPrompt,
): readonly ModelMessage[] {
  const { budgetBytesPerToken: bytes } = engine.limits;
  const room = promptRoom(engine, run, model);
  if (room >= promptRoom(engine, run) || estimatePromptTokens({ messages, tools }, bytes) <= room) return messages;
  const free = Math.max(0, room - estimatePromptTokens({ messages: messages.slice(0, 1), tools }, bytes));
  const sizeOf = (message: ModelMessage) => estimateTokens(message, bytes);
  const older = countOlder(messages, { tokens: free * NEWEST_SHARE, sizeOf });
  const end = older === 0 ? 1 : endOfReplies(messages, older);
  const maxResult = Math.floor((free * NEWEST_SHARE * bytes) / Math.max(1, messages.length - end));
  const newest = messages.map((message, index) =>
    index < end || message.role !== "tool" ? message : { ...message, output: withoutMiddle(message.output, maxResult) },
  );
  if (older === 0) return newest;
  const extracts = extractOf(messages.slice(1, end), Math.floor(free * EXTRACTS_SHARE * bytes));
  const content =
    "Notice of the service, not of the user: this conversation is longer than your context window. " +
    `Extracts of its earlier part are in its place:\n\n${extracts}`;
  return inPlaceOf(newest, { end, content, task: taskOf(messages) });
}

/**
 * Rejects a prompt that cannot fit the known window of a fallback model with less room than the agent's model: what is
 * never shortened is too long.
 * @throws ModelError with the sizes
 */
export function ensureFallbackFits(engine: EngineServices, run: Run, { model, messages, tools }: FallbackPrompt): void {
  const window = knownWindow(engine, run, model);
  if (window === undefined || promptRoom(engine, run, model) >= promptRoom(engine, run)) return;
  const words = messages.map((message) => ({ ...message, images: [] }));
  const least = estimatePromptTokens({ messages: words, tools }, MAX_BYTES_PER_TOKEN);
  if (least <= window) return;
  const sizes = `the prompt has at least ${least} tokens, and its context window ${window}`;
  throw new ModelError("request", `${sizes}. Instructions, tools, the task and calls are never shortened.`, {
    wasSent: false,
  });
}
