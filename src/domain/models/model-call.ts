import { z } from "zod";
import type { EmbeddingRequest, Embeddings } from "./embedding.ts";

/** Opaque vendor data by vendor name; kept with a message and sent back unchanged. */
const vendorData = z.record(z.string(), z.record(z.string(), z.unknown()).readonly()).readonly();

/** Checks a {@link ToolCall} that was recorded. */
export const toolCall = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The arguments as the model wrote them: JSON text, not yet checked against the tool's schema. */
    arguments: z.string(),
    /** What the vendor wants back with the call in the next request (Gemini's thought signature, for one). */
    vendorData: vendorData.optional(),
  })
  .readonly();

/** A tool call that a model asks for. */
export type ToolCall = z.output<typeof toolCall>;

/** A picture that a model is shown. */
export interface ImageContent {
  readonly name: string;
  /** As in `image/png`. */
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/** One message of the conversation, in our own vendor-neutral form. */
export type ModelMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string; readonly images?: readonly ImageContent[] }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly output: string;
      readonly isError: boolean;
    };

/** A tool as it is described to a model; `inputSchema` is JSON Schema (draft 7 subset). */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** How a model uses tools in a call: as it decides, at least one, or the one of this name. */
export type ToolChoice = "auto" | "required" | { readonly name: string };

/** One call of a model. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  /** `auto` when absent. */
  readonly toolChoice?: ToolChoice;
  readonly temperature?: number;
  /** Upper bound of the answer's length in tokens. */
  readonly maxTokens?: number;
  /** Aborts the vendor's HTTP request. */
  readonly signal: AbortSignal;
}

/** Checks a {@link TokenUsage} that was recorded. */
export const tokenUsage = z.object({ promptTokens: z.number(), completionTokens: z.number() }).readonly();

/** Tokens that one or several model calls used. */
export type TokenUsage = z.output<typeof tokenUsage>;

/** How the calls of an endpoint are paid for: by the token, or as part of a subscription. */
export const BILLING_MODELS = ["per-token", "subscription-quota"] as const;

/** One of {@link BILLING_MODELS}. */
export type BillingModel = (typeof BILLING_MODELS)[number];

/** What a model sends while it answers, in order; `finish` comes last and exactly once. */
export type ModelChunk =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "tool-call"; readonly call: ToolCall }
  | { readonly type: "finish"; readonly usage: TokenUsage };

/** A connection to one vendor with one key. */
export interface ModelClient {
  /**
   * Calls the model once and streams its answer. Never retries.
   * @throws ModelError when the vendor rejects, aborts or cannot be reached.
   */
  stream(request: ModelRequest): AsyncIterable<ModelChunk>;
  /** Embeds texts, where the vendor can. Never retries. @throws ModelError like {@link ModelClient.stream}. */
  embed?(request: EmbeddingRequest): Promise<Embeddings>;
}

/**
 * Why a model call failed:
 * `auth` key rejected (401/403) · `rate_limit` 429 · `model` the vendor does not serve this
 * model (404, or 400 about the model) · `request` any other rejection of the request (4xx) ·
 * `unavailable` 5xx, 408, no connection · `cut` the stream ended before its finish ·
 * `too_large` the answer exceeds the limits of this service · `aborted` our own signal fired.
 */
export type ModelErrorKind =
  | "auth"
  | "rate_limit"
  | "model"
  | "request"
  | "unavailable"
  | "cut"
  | "too_large"
  | "aborted";

/** The bodies that were exchanged with a vendor, with secrets cut. */
export interface ExchangedBodies {
  readonly request: string;
  readonly response: string;
}

/** A failed model call. The message is the vendor's own, with secrets cut, and safe to show. */
export class ModelError extends Error {
  /** Private, so that no log shows it. */
  readonly #bodies: ExchangedBodies | undefined;
  readonly kind: ModelErrorKind;
  /** The vendor's HTTP status, when it answered. */
  readonly status: number | undefined;
  /** How long the vendor asks to wait (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether the vendor may have got the request; false when no connection came about. */
  readonly wasSent: boolean;

  constructor(
    kind: ModelErrorKind,
    message: string,
    options: ErrorOptions & {
      readonly status?: number;
      readonly retryAfterMs?: number;
      readonly wasSent?: boolean;
      readonly bodies?: ExchangedBodies;
    } = {},
  ) {
    super(message, options);
    this.name = "ModelError";
    this.kind = kind;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.wasSent = options.wasSent ?? true;
    this.#bodies = options.bodies;
  }

  /** What was exchanged, where the vendor has answered. It holds the prompt: it belongs into the run's record only. */
  get bodies(): ExchangedBodies | undefined {
    return this.#bodies;
  }

  /** Whether the vendor rejected the request or never got it, and so charges nothing. */
  get isRefusal(): boolean {
    return this.status !== undefined || !this.wasSent || this.kind === "auth" || this.kind === "request";
  }

  /** Whether the same call may succeed a little later. */
  get isTransient(): boolean {
    return this.kind === "rate_limit" || this.kind === "unavailable" || this.kind === "cut";
  }
}
