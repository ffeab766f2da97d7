import { textOf } from "../../lib/search.ts";

/** The search parameters of the tools. */
export interface ToolsSearch {
  /** The id of the custom tool that is open, or `new`. */
  readonly tool?: string;
  readonly q?: string;
}

/** The form of a tool that is yet to be made. */
export const NEW_TOOL = "new";

/** Reads the search parameters of the tools; unknown ones are dropped. */
export function readToolsSearch(search: Record<string, unknown>): ToolsSearch {
  const [tool, q] = [textOf(search["tool"]), textOf(search["q"])];
  return { ...(tool !== undefined && { tool }), ...(q !== undefined && { q }) };
}
