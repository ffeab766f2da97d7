import { z } from "zod";
import { agentReasoning } from "./agent.ts";

/** Values that replace fields of an agent in one run, as the snapshot of the agent has them. */
export const agentChanges = z.object({
  model: z.string().optional(),
  provider: z.string().optional(),
  system_prompt: z.string().optional(),
  temperature: z.number().nullable().optional(),
  reasoning: agentReasoning.optional(),
  /** The run has no version of the agent. Absent in the first forks. */
  version: z.null().optional(),
});

/** See {@link agentChanges}. */
export type AgentChanges = z.output<typeof agentChanges>;
