import { z } from "zod";
import type { EmbeddingRequest, Embeddings } from "./embedding.ts";
import type { ReasoningEffort, ReasoningSummary } from "./model-catalogue.ts";
import type { ReplyEnd, ReplyPart } from "./reply-parts.ts";

/** An image for a model. */
export interface ImageContent {
  readonly name: string;
  /** For example `image/png`. */
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/**
 * The origin of a reply: the model, and a digest of what it was asked (system prompt, tools, all earlier messages).
 * Providers accept reasoning back only together with exactly these.
 */
export interface ReplyOrigin {
  readonly provider: string;
  readonly model: string;
  readonly asked: string;
}

/** One message of the conversation, in a provider-neutral form. */
export type ModelMessage =
  | { readonly role: "system"; readonly content: string }
  | {
      readonly role: "user";
      readonly content: string;
      readonly images?: readonly ImageContent[];
      /** Set if the service itself speaks, in the middle of a run. */
      readonly isNotice?: true;
    }
  | {
      readonly role: "assistant";
      readonly parts: readonly ReplyPart[];
      /** Absent when no model of this service wrote it. */
      readonly origin?: ReplyOrigin | undefined;
      /** The tokens that its provider counted for the prompt that it replies to. */
      readonly promptTokens?: number | undefined;
    }
  | {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly output: string;
      readonly isError: boolean;
      /** Set if the output is the beginning of a result that is stored as a file. */
      readonly isCut?: true;
    };

/** A tool as a model receives it; `inputSchema` is JSON Schema (draft 7 subset). */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** How a model uses tools in a call: freely, at least one, or the named one. */
export type ToolChoice = "auto" | "required" | { readonly name: string };

/** One call of a model. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  /** `auto` when absent. */
  readonly toolChoice?: ToolChoice;
  readonly temperature?: number;
  /** The maximum length of the reply in tokens, its reasoning included. */
  readonly maxTokens?: number;
  /** How much the model thinks; absent: as much as the provider decides. */
  readonly effort?: ReasoningEffort;
  /** The readable form of the reasoning that is wanted, where the provider sends it only on request; absent: none. */
  readonly summary?: ReasoningSummary;
  /** The JSON Schema that the reply's text must have. */
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  /**
   * Whether the provider should cache the prompt, and a name for requests that begin alike (at most 64 characters).
   * Absent: nothing is asked for.
   */
  readonly caching?: { readonly key: string };
  /** Aborts the HTTP request to the provider. */
  readonly signal: AbortSignal;
  /** Called with the headers of the response when they arrive, of a rejection too; names are in lower case. */
  readonly onHeaders?: ((headers: Readonly<Record<string, string>>) => void) | undefined;
}

/** The schema of a recorded {@link TokenUsage}. */
export const tokenUsage = z
  .object({
    /** All tokens of the prompt, those read from and written to the provider's cache included. */
    promptTokens: z.number(),
    /** All tokens of the reply, its reasoning included. */
    completionTokens: z.number(),
    cachedTokens: z.number().optional(),
    cacheWriteTokens: z.number().optional(),
    reasoningTokens: z.number().optional(),
  })
  .readonly();

/** The tokens that one or several model calls used; an absent part is 0. */
export type TokenUsage = z.output<typeof tokenUsage>;

/**
 * What a provider had reported of a call until it was interrupted; without `completionTokens`, nothing of the reply.
 */
export type ReportedUsage = Omit<TokenUsage, "completionTokens"> & Partial<Pick<TokenUsage, "completionTokens">>;

/** How calls of an endpoint are billed: per token, or as part of a subscription. */
export const BILLING_MODELS = ["per-token", "subscription-quota"] as const;

/** One of {@link BILLING_MODELS}. */
export type BillingModel = (typeof BILLING_MODELS)[number];

/**
 * The stream of a model's reply, in order. `notes` say what of the request was changed or left out for this provider;
 * the texts are shown as they arrive; `finish` is last, occurs exactly once, and has the complete reply.
 */
export type ModelChunk =
  | { readonly type: "notes"; readonly notes: readonly string[] }
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "reasoning"; readonly delta: string }
  | {
      readonly type: "finish";
      readonly parts: readonly ReplyPart[];
      readonly end: ReplyEnd;
      readonly usage: TokenUsage;
    };

/** A connection to one provider with one key. */
export interface ModelClient {
  /**
   * Calls the model once and streams its reply. Never retries.
   * @throws ModelError when the provider rejects or aborts the call, or cannot be reached.
   */
  stream(request: ModelRequest): AsyncIterable<ModelChunk>;
  /** Embeds texts, if the provider can. Never retries. @throws ModelError like {@link ModelClient.stream}. */
  embed?(request: EmbeddingRequest): Promise<Embeddings>;
}

/**
 * Why a model call failed: `auth` key rejected (401/403) · `rate_limit` 429 · `model` the provider does not serve this
 * model (404, or 400 about the model) · `request` any other rejection of the request (4xx) · `unavailable` 5xx, 408, no
 * connection · `cut` the stream ended before its finish · `too_large` the reply exceeds the limits of this service ·
 * `aborted` our own signal was aborted.
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

/** The request and response bodies of a call, with secrets redacted. */
export interface ExchangedBodies {
  readonly request: string;
  readonly response: string;
}

/** A failed model call. The message is the provider's own, with secrets redacted, and safe to show. */
export class ModelError extends Error {
  /** Private, so that no log contains it. */
  readonly #bodies: ExchangedBodies | undefined;
  readonly kind: ModelErrorKind;
  /** The provider's HTTP status, if it responded. */
  readonly status: number | undefined;
  /** The pause that the provider requests (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether the provider may have received the request; false if the connection failed. */
  readonly wasSent: boolean;
  /** What the provider had reported of the call's usage. */
  readonly usage: ReportedUsage | undefined;

  constructor(
    kind: ModelErrorKind,
    message: string,
    options: ErrorOptions & {
      readonly status?: number;
      readonly retryAfterMs?: number;
      readonly wasSent?: boolean;
      readonly usage?: ReportedUsage | undefined;
      readonly bodies?: ExchangedBodies;
    } = {},
  ) {
    super(message, options);
    this.name = "ModelError";
    this.kind = kind;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.wasSent = options.wasSent ?? true;
    this.usage = options.usage;
    this.#bodies = options.bodies;
  }

  /**
   * The request and response bodies, if the provider responded. They contain the prompt: store them only in the run's
   * records.
   */
  get bodies(): ExchangedBodies | undefined {
    return this.#bodies;
  }

  /** True if the provider rejected or never received the request, and so charges nothing. */
  get isRefusal(): boolean {
    return this.status !== undefined || !this.wasSent || this.kind === "auth" || this.kind === "request";
  }

  /** True if the same call may succeed later. */
  get isTransient(): boolean {
    return this.kind === "rate_limit" || this.kind === "unavailable" || this.kind === "cut";
  }
}
