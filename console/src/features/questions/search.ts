import { oneOf, textOf } from "../../lib/search.ts";

/** The lists of questions. */
export const QUESTION_TABS = ["open", "answered", "expired"] as const;

/** The search parameters of the questions. */
export interface QuestionsSearch {
  /** Open ones when absent. */
  readonly state?: "answered" | "expired";
  /** Of these agents and teams only. */
  readonly agent?: string;
  readonly team?: string;
  /** The question that is selected. */
  readonly id?: string;
}

/** Reads the search parameters of the questions; unknown ones are dropped. */
export function readQuestionsSearch(search: Record<string, unknown>): QuestionsSearch {
  const state = oneOf(search["state"], ["answered", "expired"]);
  const [agent, team, id] = [textOf(search["agent"]), textOf(search["team"]), textOf(search["id"])];
  return {
    ...(state !== undefined && { state }),
    ...(agent !== undefined && { agent }),
    ...(team !== undefined && { team }),
    ...(id !== undefined && { id }),
  };
}
