import { z } from "zod";
import { BILLING_MODELS, ModelError, tokenUsage } from "#domain/models/model-call.ts";
import type { ModelChunk, TokenUsage } from "#domain/models/model-call.ts";
import { replyEnd, replyPart } from "#domain/models/reply-parts.ts";
import type { ReplyPart } from "#domain/models/reply-parts.ts";
import { storableText } from "#domain/storable.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import { callAfterCheck } from "#lib/safe-fetch/pause-guard.ts";
import { ensureOwner } from "../queue/lease.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import type { PreparedRequest } from "./prepared-request.ts";
import type { StreamedWords } from "./streamed-words.ts";
import type { ModelRoute } from "../run/ports.ts";

/** The usage of a call without a reply. */
export const NOTHING_USED: TokenUsage = { promptTokens: 0, completionTokens: 0 };

/** A reply as it is recorded in its step. */
export const modelReply = z.object({
  parts: z.array(replyPart).readonly(),
  end: replyEnd,
  /** What of the request was changed or left out for this model; absent: nothing. */
  notes: z.array(z.string()).readonly().optional(),
  /** A digest of what the model was asked, which its reasoning belongs to. */
  asked: z.string().optional(),
  /** How the text violates the agent's output schema; absent: it does not, or there is none. */
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .readonly()
    .optional(),
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
export interface ModelCall extends PreparedRequest {
  readonly route: ModelRoute;
  /** Takes the reply's words as they are streamed. */
  readonly words: StreamedWords;
  /** Called when the first part of the reply arrives. */
  readonly onBegin: () => void;
}

/**
 * Makes one attempt of a model call and streams its words into the run's log. If it fails, what was streamed so far
 * stays and its messages are ended. The outcome is observed.
 * @throws ModelError; OwnershipLostError when this execution no longer owns its job
 */
export async function streamReply(engine: EngineServices, run: Run, call: ModelCall): Promise<ModelReply> {
  const begun = performance.now();
  let outcome = "error";
  try {
    const reply = await callAfterCheck(
      () => ensureOwner(engine, run.key),
      () => stream(engine, run, call),
    );
    outcome = "ok";
    return reply;
  } catch (error) {
    // A call that a cancel or a shutdown aborts says nothing about the provider.
    if (run.signal.aborted) outcome = "aborted";
    else if (error instanceof ModelError) outcome = error.kind;
    throw error;
  } finally {
    const durationMs = performance.now() - begun;
    engine.observe({ type: "provider_call", provider: call.route.provider, outcome, durationMs });
  }
}

async function stream(engine: EngineServices, run: Run, call: ModelCall): Promise<ModelReply> {
  const { request, asked, route, words, onBegin } = call;
  const limit = startTimeLimit(engine.limits.modelTimeoutMs, run.signal);
  const chunks = route.client.stream({ ...request, model: route.model, signal: limit.signal });
  const notes = [...call.notes];
  let finish: FinishChunk | undefined;
  try {
    for await (const chunk of chunks) {
      if (chunk.type === "notes") notes.push(...chunk.notes);
      else onBegin();
      if (chunk.type === "finish") finish = chunk;
      else if (chunk.type !== "notes") await words.write(chunk);
    }
  } catch (error) {
    await words.abandon();
    if (!limit.isOver() || run.signal.aborted) throw error;
    const seconds = engine.limits.modelTimeoutMs / 1000;
    const usage = error instanceof ModelError ? error.usage : undefined;
    throw new ModelError("cut", `no complete answer within ${seconds} s`, { cause: error, usage });
  } finally {
    limit.clear();
  }
  words.complete();
  if (finish === undefined) throw new ModelError("cut", "The provider's answer ended before it was complete.");
  const { provider, model, billing } = route;
  const { parts, end, usage } = finish;
  // Data that the provider accepts back only after the same request.
  const isBound = parts.some((part) => ("call" in part ? part.call : part).providerData !== undefined);
  const messageId = words.textId();
  return {
    parts: parts.map(storablePart),
    end,
    ...(isBound && { asked }),
    ...(notes.length > 0 && { notes }),
    ...(messageId && { messageId }),
    provider,
    model,
    usage,
    billing,
    answeredAt: new Date().toISOString(),
  };
}

/** The same in this execution as in one that reads it from the database. */
function storablePart(part: ReplyPart): ReplyPart {
  if (part.type !== "tool-call") return { ...part, text: storableText(part.text) };
  const { call } = part;
  return { ...part, call: { ...call, name: storableText(call.name), arguments: storableText(call.arguments) } };
}

type FinishChunk = Extract<ModelChunk, { type: "finish" }>;
