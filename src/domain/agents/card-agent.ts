/** An agent as its card shows it. */
export interface CardAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: number;
  readonly tags: readonly string[];
  readonly tools: readonly string[];
  /** ISO 8601. */
  readonly updated_at: string;
}
