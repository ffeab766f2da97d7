import { oneOf, textOf } from "../../lib/search.ts";

/** The lists of questions. */
export const QUESTION_STATES = ["open", "answered", "expired"] as const;

/** What the address of the questions says. */
export interface QuestionsSearch {
  readonly state?: "answered" | "expired";
  /** The selected question. */
  readonly id?: string;
}

/** Reads the search parameters of the questions; unknown ones are dropped. */
export function readQuestionsSearch(search: Record<string, unknown>): QuestionsSearch {
  const state = oneOf(search["state"], ["answered", "expired"]);
  const id = textOf(search["id"]);
  return { ...(state && { state }), ...(id !== undefined && { id }) };
}
