/** A question of a run, between the model calls of two replies. */
export interface ReplyBound {
  readonly interactionId: string;
  /** The number of the run's model calls before it; undefined for a question to a person. */
  readonly modelCalls: number | undefined;
}
