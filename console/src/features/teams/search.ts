import { oneOf, textOf } from "../../lib/search.ts";
import { TEAM_MODES } from "../used-by/team-mode.ts";
import type { TeamMode } from "../used-by/team-mode.ts";

const TABS = ["runs", "memory", "used-by"] as const;
const DIALOGS = ["team", "import", "template"] as const;

/** The search parameters of the list of teams. */
export interface TeamsSearch {
  readonly q?: string;
  readonly mode?: TeamMode;
  readonly add?: (typeof DIALOGS)[number];
  /** The template that is looked at; all when absent. */
  readonly template?: string;
}

/** Reads the search parameters of the list; unknown ones are dropped. */
export function readTeamsSearch(search: Record<string, unknown>): TeamsSearch {
  const q = textOf(search["q"]);
  const mode = oneOf(search["mode"], TEAM_MODES);
  const add = oneOf(search["add"], DIALOGS);
  const template = textOf(search["template"]);
  return {
    ...(q !== undefined && { q }),
    ...(mode && { mode }),
    ...(add && { add }),
    ...(template !== undefined && { template }),
  };
}

/** What the page of a team shows. */
export interface TeamSearch {
  /** The config when absent. */
  readonly tab?: (typeof TABS)[number];
  /** The config as JSON instead of controls. */
  readonly view?: "json";
  readonly run?: "new";
}

/** Reads the search parameters of a team's page; unknown ones are dropped. */
export function readTeamSearch(search: Record<string, unknown>): TeamSearch {
  const tab = oneOf(search["tab"], TABS);
  const view = oneOf(search["view"], ["json"]);
  const run = oneOf(search["run"], ["new"]);
  return { ...(tab && { tab }), ...(view && { view }), ...(run && { run }) };
}
