import { textOf } from "../../lib/search.ts";

/** What the address of the questions says. */
export interface QuestionsSearch {
  /** The run whose question is selected. */
  readonly id?: string;
}

/** Reads the search parameters of the questions; unknown ones are dropped. */
export function readQuestionsSearch(search: Record<string, unknown>): QuestionsSearch {
  const id = textOf(search["id"]);
  return id === undefined ? {} : { id };
}
