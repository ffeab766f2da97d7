import { ModelError } from "#domain/models/model-call.ts";
import type { ModelClient } from "#domain/models/model-call.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import type { ConnectionTestResult } from "#domain/models/model-providers.ts";
import { RunFailure } from "../run/run-failure.ts";

/** The time limit of a connection test, in milliseconds. */
const TIMEOUT_MS = 20_000;
/** Enough for models that reason before they reply; also the maximum cost of a test. */
const MAX_TOKENS = 64;
const MAX_MESSAGE = 500;
/** Almost all agents have tools, and some models are refused with them that work without. */
const TOOLS = [
  {
    name: "take_note",
    description: "Keeps a note.",
    inputSchema: {
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
      additionalProperties: false,
    },
  },
];

/** A call that tests a connection. */
export interface TestCall {
  /** The requested model, or else one that every key of the provider can call. */
  readonly model?: string | undefined;
  readonly testModel: string | undefined;
  /** Opens the connection. @throws RunFailure when a key or base URL is missing. */
  readonly connect: () => Promise<ModelClient>;
  readonly signal: AbortSignal;
}

/** Calls a model once, with a tool, and reports the outcome. */
export async function testConnection(provider: string, call: TestCall): Promise<ConnectionTestResult> {
  const begun = performance.now();
  const ended = (ok: boolean, message: string): ConnectionTestResult => ({
    ok,
    latencyMs: Math.round(performance.now() - begun),
    message: message.slice(0, MAX_MESSAGE).toWellFormed(),
  });
  const model = call.model ?? call.testModel;
  if (model === undefined) return ended(false, `Name a model to try: ${provider} serves any.`);
  const limit = startTimeLimit(TIMEOUT_MS, call.signal);
  try {
    const client = await call.connect();
    const messages = [{ role: "user", content: "Answer with the word OK." }] as const;
    const answer = client.stream({ model, messages, tools: TOOLS, maxTokens: MAX_TOKENS, signal: limit.signal });
    for await (const chunk of answer) if (chunk.type === "finish") break;
    return ended(true, `${model} answered.`);
  } catch (error) {
    call.signal.throwIfAborted();
    if (limit.isOver()) return ended(false, `No answer within ${TIMEOUT_MS / 1_000} s.`);
    if (error instanceof RunFailure || error instanceof ModelError) return ended(false, error.message);
    throw error;
  } finally {
    limit.clear();
  }
}
