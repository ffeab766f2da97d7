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

/** The usage of a call without a reply. */
export const NOTHING_USED: TokenUsage = { promptTokens: 0, completionTokens: 0 };

/** A reply as it is recorded in its step. */
export const modelReply = z.object({
  text: z.string(),
  toolCalls: z.array(toolCall).readonly(),
  /** The message that holds the text, still open; absent when no text was streamed. */
  messageId: z.string().optional(),
  /** The model that replied, and its usage. */
  provider: z.string(),
  model: z.string(),
  usage: tokenUsage,
  billing: z.enum(BILLING_MODELS),
  /** When the reply was complete, as ISO 8601; recorded, so a replay gives the same time. */
  answeredAt: z.string(),
  /** Whether a fork reuses it from another run, which has paid for it. */
  takenOver: z.literal(true).optional(),
});

/** A model's complete reply in one turn. */
export type ModelReply = Readonly<z.output<typeof modelReply>>;

/** A call of a model. */
export interface ModelCall {
  readonly messages: readonly ModelMessage[];
  readonly route: ModelRoute;
  readonly tools: readonly ToolSpec[];
  readonly client: Pick<ClientTools, "choice">;
  /** The maximum number of tokens of the reply. */
  readonly maxTokens: number | undefined;
  /** Called when the first part of the reply arrives. */
  readonly onBegin: (() => void) | undefined;
}

/**
 * Makes one attempt of a model call and streams its text into the run's log. If it fails, the text streamed so far
 * stays and its message is ended.
 * @throws ModelError; OwnershipLostError when this execution no longer owns its job
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
    ...(run.job.agent.temperature !== null && { temperature: run.job.agent.temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    signal: limit.signal,
  });
  const message = openTextMessage(run);
  const toolCalls: ToolCall[] = [];
  let usage = NOTHING_USED;
  try {
    for await (const chunk of chunks) {
      onBegin?.();
      if (chunk.type === "text") await message.write(chunk.delta);
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
