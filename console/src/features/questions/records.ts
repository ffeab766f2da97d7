import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import type { components } from "#client/gen/schema.ts";

/** A question to a person, with the form of its answer. */
export type Question = Omit<components["schemas"]["Question"], "request"> & { readonly request: InteractionRequest };

/** The state of a question. */
export type QuestionState = Question["state"];

/** A question with its form, which the OpenAPI document leaves open; undefined for one that cannot be shown. */
export function readQuestion(record: components["schemas"]["Question"]): Question | undefined {
  const request: unknown = record.request;
  return isRequest(request) ? { ...record, request } : undefined;
}

/** Whether it is the form of a question that can be shown. */
export function isRequest(value: unknown): value is InteractionRequest {
  return typeof value === "object" && value !== null && "interactionId" in value && "interactionType" in value;
}
