import { oneOf } from "../../lib/search.ts";

/** The tabs of the screen; without one, the workspaces. */
const TABS = ["processes", "erasures"] as const;

/** By what workspaces are ordered, the largest first. */
export const TENANT_ORDERS = ["load", "cost", "storage", "failures", "newest"] as const;

/** The open tab, and the order of the workspaces. */
export interface InstanceSearch {
  readonly tab?: (typeof TABS)[number] | undefined;
  readonly order?: (typeof TENANT_ORDERS)[number] | undefined;
}

/** Reads the parameters; unknown ones are dropped. */
export function readInstanceSearch(search: Record<string, unknown>): InstanceSearch {
  const [tab, order] = [oneOf(search["tab"], TABS), oneOf(search["order"], TENANT_ORDERS)];
  return { ...(tab !== undefined && { tab }), ...(order !== undefined && { order }) };
}
