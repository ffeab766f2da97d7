import type { z } from "zod";
import type { exportedAgent, exportedTeam } from "./export-file.ts";

/** What agents and teams from templates begin with: it needs no key, and a person chooses another one. */
export const TEMPLATE_MODEL = "demo";

interface Template {
  /** Identifies it in the API. */
  readonly id: string;
  /** What it is for, in one line. */
  readonly purpose: string;
  /** An example of what to give it. */
  readonly task: string;
  /**
   * Directives for the demo model, so that the example shows its tools without a key. They name the agents of a team by
   * their `ref_id`.
   */
  readonly demo: readonly string[];
}

type AgentFields = Omit<z.input<typeof exportedAgent>, "model">;

/** An agent to begin with. */
export interface AgentTemplate extends Template {
  readonly agent: AgentFields;
}

/** A team to begin with, and its agents. */
export interface TeamTemplate extends Template {
  readonly team: Omit<z.input<typeof exportedTeam>, "agents"> & {
    readonly agents: readonly { readonly ref_id: string; readonly agent: AgentFields }[];
  };
}
