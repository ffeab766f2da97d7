import { z } from "zod";
import { BILLING_MODELS, ModelError, tokenUsage, toolCall } from "#domain/models/model-call.ts";
import type { ModelMessage, TokenUsage, ToolCall, ToolSpec } from "#domain/models/model-call.ts";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import { storableText } from "#domain/storable.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import type { ModelRoute } from "../models/provider-directory.ts";
import { ensureOwner } from "../queue/lease.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { openTextMessage } from "../run/text-message.ts";

/** The usage of a call that gave no answer. */
export const NOTHING_USED: TokenUsage = { promptTokens: 0, completionTokens: 0 };

/** The form in which a reply is recorded. */
export const modelReply = z.object({
  text: z.string(),
  toolCalls: z.array(toolCall).readonly(),
  /** The message under which the text was streamed, still open; absent when there was none. */
  messageId: z.string().optional(),
  /** Which model answered, and what it used. */
  provider: z.string(),
  model: z.string(),
  usage: tokenUsage,
  billing: z.enum(BILLING_MODELS),
  /** When the answer was complete, as ISO 8601; recorded with the step, so that a replay says the same. */
  answeredAt: z.string(),
  /** Whether a fork has it from another run, which has paid for it. */
  takenOver: z.literal(true).optional(),
});

/** A model's whole answer of one turn. */
export type ModelReply = Readonly<z.output<typeof modelReply>>;

/** A call of a model. */
export interface ModelCall {
  readonly messages: readonly ModelMessage[];
  readonly route: ModelRoute;
  readonly tools: readonly ToolSpec[];
  readonly client: Pick<ClientTools, "choice">;
  /** The most tokens that the answer may have. */
  readonly maxTokens: number | undefined;
  /** Called when the provider has begun to answer. */
  readonly onBegin: (() => void) | undefined;
}

/**
 * Calls a model once and streams its text into the run's log. What was streamed before a failure is closed, and stays.
 * @throws ModelError; OwnershipLost when the execution does not own its job any more
 */
export async function streamReply(engine: EngineServices, run: Run, call: ModelCall): Promise<ModelReply> {
  const { messages, tools, client, route, maxTokens, onBegin } = call;
  await ensureOwner(engine, run.key);
  const limit = startTimeLimit(engine.limits.modelTimeoutMs, run.signal);
  const chunks = route.client.stream({
    model: route.model,
    messages,
    tools,
    ...(client.choice !== "auto" && { toolChoice: client.choice }),
    temperature: run.job.agent.temperature,
    ...(maxTokens !== undefined && { maxTokens }),
    signal: limit.signal,
  });
  const message = openTextMessage(run);
  const toolCalls: ToolCall[] = [];
  let usage = NOTHING_USED;
  try {
    for await (const chunk of chunks) {
      onBegin?.();
      if (chunk.type === "text") message.write(chunk.delta);
      else if (chunk.type === "tool-call") toolCalls.push(chunk.call);
      else usage = chunk.usage;
    }
  } catch (error) {
    await message.abandon();
    if (!limit.isOver() || run.signal.aborted) throw error;
    const seconds = engine.limits.modelTimeoutMs / 1000;
    throw new ModelError("cut", `no complete answer within ${seconds} s`, { cause: error });
  } finally {
    limit.clear();
  }
  message.complete();
  const { provider, model, billing } = route;
  const messageId = message.id();
  const used = { provider, model, usage, billing };
  const answeredAt = new Date().toISOString();
  return { text: storableText(message.text()), toolCalls, ...(messageId && { messageId }), ...used, answeredAt };
}
