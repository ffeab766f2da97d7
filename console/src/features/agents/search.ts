import { numberOf, oneOf, textOf } from "../../lib/search.ts";

/** The states of an agent, as its tasks have it. */
export const AGENT_STATUSES = ["idle", "running", "failed"] as const;

/** The search parameters of the list. */
export interface AgentsSearch {
  readonly q?: string;
  readonly status?: (typeof AGENT_STATUSES)[number];
  readonly tag?: string;
}

/** Reads the search parameters of the list; unknown ones are dropped. */
export function readAgentsSearch(search: Record<string, unknown>): AgentsSearch {
  const [q, tag] = [textOf(search["q"]), textOf(search["tag"])];
  const status = oneOf(search["status"], AGENT_STATUSES);
  return { ...(q !== undefined && { q }), ...(status && { status }), ...(tag !== undefined && { tag }) };
}

/** The search parameters of the form of a new agent. */
export interface NewAgentSearch {
  /** The template that is looked at, or `all`. */
  readonly template?: string;
  /** The template that the form was filled with. */
  readonly from?: string;
}

/** Reads the search parameters of the form of a new agent; unknown ones are dropped. */
export function readNewAgentSearch(search: Record<string, unknown>): NewAgentSearch {
  const [template, from] = [textOf(search["template"]), textOf(search["from"])];
  return { ...(template !== undefined && { template }), ...(from !== undefined && { from }) };
}

/** The tabs of an agent, in their order. */
export const AGENT_TABS = ["prompt", "try", "runs", "versions", "golden", "publish", "used-by"] as const;

/** One of {@link AGENT_TABS}. */
export type AgentTab = (typeof AGENT_TABS)[number];

/** The search parameters of an agent's page. */
export interface AgentSearch {
  /** The prompt when absent. */
  readonly tab?: AgentTab;
  /** The conversation of the tab Try. */
  readonly thread?: string;
  /** A fork of a reply in it, beside that reply. */
  readonly rerun?: string;
  /** The version that is shown, and the version to compare it with; by default the previous one. */
  readonly version?: number;
  readonly against?: number;
  /** The golden run that is shown; by default the newest. */
  readonly golden?: string;
}

/** Reads the search parameters of an agent; unknown ones are dropped. */
export function readAgentSearch(search: Record<string, unknown>): AgentSearch {
  const tab = oneOf(search["tab"], AGENT_TABS);
  const [thread, rerun] = [textOf(search["thread"]), textOf(search["rerun"])];
  const golden = textOf(search["golden"]);
  const [version, against] = [numberOf(search["version"]), numberOf(search["against"])];
  return {
    ...(tab && { tab }),
    ...(thread !== undefined && { thread }),
    ...(rerun !== undefined && { rerun }),
    ...(version !== undefined && { version }),
    ...(against !== undefined && { against }),
    ...(golden !== undefined && { golden }),
  };
}

/** Whether a filter is set. */
export function isFiltered(search: AgentsSearch): boolean {
  return Object.values(search).some((value) => value !== undefined);
}
