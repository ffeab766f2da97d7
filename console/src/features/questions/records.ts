import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";

/** A question to a person, with the work that waits for it. */
export interface Question {
  /** The id of the interaction; a wizard keeps it through all of its pages. */
  readonly id: string;
  readonly state: "open" | "answered" | "expired";
  readonly subject: { readonly kind: "task" | "run"; readonly id: string; readonly title: string };
  readonly agent: { readonly id: string; readonly name: string } | null;
  readonly team: { readonly id: string; readonly name: string } | null;
  readonly request: InteractionRequest;
  readonly asked_at: string;
  readonly expires_at: string;
  readonly answered_at: string | null;
  readonly answered_by: string | null;
}
