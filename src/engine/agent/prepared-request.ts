import type { ModelRequest } from "#domain/models/model-call.ts";

/** A request for one model, before the provider fits it to its API. */
export interface PreparedRequest {
  readonly request: Omit<ModelRequest, "model" | "signal">;
  /** The digest of what the model is asked; its reasoning belongs to it. */
  readonly asked: string;
  readonly notes: readonly string[];
}
