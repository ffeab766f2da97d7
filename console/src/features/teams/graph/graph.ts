import type { Fields } from "../config/fields.ts";
import type { TeamMode } from "../../used-by/team-mode.ts";
import type { TeamGraph } from "./nodes.ts";
import { pipelineGraph } from "./pipeline.ts";
import { collaborationGraph, orchestratorGraph } from "./roles.ts";

const GRAPHS = { pipeline: pipelineGraph, orchestrator: orchestratorGraph, collaboration: collaborationGraph } as const;

/** The graph of a config from its input to its result; its boxes are edited by changes of the same config. */
export function graphOf(mode: TeamMode, config: Fields): TeamGraph {
  return GRAPHS[mode](config);
}
