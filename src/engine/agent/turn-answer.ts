import type { FinishReason } from "#domain/models/reply-parts.ts";

/** The result of a turn. */
export interface TurnAnswer {
  readonly text: string;
  /** Why the reply ended. */
  readonly finish: FinishReason;
  /** The model that replied. */
  readonly model: string;
  /** When the reply was complete, as ISO 8601; the same in every execution. */
  readonly answeredAt: string;
  /** Prompt and completion tokens of all model calls of the turn. */
  readonly tokensUsed: number;
}
