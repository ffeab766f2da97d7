import type { Question } from "#domain/tasks/interaction.ts";
import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import type { components } from "#client/gen/schema.ts";

/** A row in the list of a run's steps. */
export type StepRow = components["schemas"]["StepRow"];

/** A step with all that is recorded of it. */
export type StepDetail = components["schemas"]["StepDetail"];

/** All steps of an attempt, and the newest event when they were read. */
export interface Steps {
  readonly attempt: number;
  readonly seq: number;
  readonly rows: readonly StepRow[];
}

/** A task, or a team run without one, as its page shows it. */
export type RunHead = Omit<components["schemas"]["RunHead"], "question"> & { readonly question: OpenQuestion | null };

/** Whether an agent or a team is there to do it; a deleted one leaves its runs without. */
export function isAssigned({ agent, team }: Pick<RunHead, "agent" | "team">): boolean {
  return agent !== null || team !== null;
}

/** The question for which it waits, with its deadline. */
export type OpenQuestion = InteractionRequest & { readonly expiresAt?: string };

/** The head with its question, whose form the OpenAPI document leaves open. */
export function readHead(head: components["schemas"]["RunHead"]): RunHead {
  const { question } = head;
  return { ...head, question: isQuestion(question) ? question : null };
}

function isQuestion(value: unknown): value is OpenQuestion {
  return typeof value === "object" && value !== null && "interactionId" in value && "interactionType" in value;
}

/** Whether this is a question as it is recorded with a step. */
export function isAskedQuestion(value: unknown): value is Question {
  if (typeof value !== "object" || value === null) return false;
  return "prompt" in value || ("steps" in value && Array.isArray(value.steps));
}
