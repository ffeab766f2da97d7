import { oneOf, textOf } from "../../lib/search.ts";

/** The tabs behind the first, which lists the remote agents. */
export const PROTOCOL_TABS = ["mcp", "published"] as const;

/** The search parameters of the screen: the tab, the open record, and whether the form is open. */
export interface ProtocolsSearch {
  readonly tab?: (typeof PROTOCOL_TABS)[number] | undefined;
  readonly id?: string | undefined;
  readonly edit?: "yes" | undefined;
}

/** Reads the parameters; unknown ones are dropped. */
export function readProtocolsSearch(search: Record<string, unknown>): ProtocolsSearch {
  const tab = oneOf(search["tab"], PROTOCOL_TABS);
  const id = textOf(search["id"]);
  const edit = oneOf(search["edit"], ["yes"] as const);
  return { ...(tab !== undefined && { tab }), ...(id !== undefined && { id }), ...(edit !== undefined && { edit }) };
}
