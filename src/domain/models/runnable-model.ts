import type { AgentReasoning } from "../agents/agent.ts";

/** An agent or team in the list of models. */
export interface ListedModel {
  readonly id: string;
  readonly name: string;
  readonly kind: "agent" | "team";
  /** When it was created, in seconds since 1970. */
  readonly created: number;
}

/** The settings of an agent that requests cannot change, or only for their run. */
export interface ModelSettings {
  /** The id of the agent's model. */
  readonly model: string;
  readonly provider: string;
  readonly temperature: number | null;
  readonly max_tokens: number | null;
  readonly reasoning: AgentReasoning;
  readonly output_schema: Readonly<Record<string, unknown>> | null;
  /** `vision` of the agent's config. */
  readonly vision: unknown;
}

/** An agent or team as a model of the OpenAI API. */
export interface RunnableModel extends ListedModel {
  /** Whether the model's text is rendered with an output template. */
  readonly templated: boolean;
  /** Null for a team. */
  readonly settings: ModelSettings | null;
}

/** The name of an agent or a team as a model. */
export interface ModelName {
  /** Its name, or its id if the name is not unique. */
  readonly model: string;
}

/** An agent or team with the model name that requests use. */
export type NamedModel = RunnableModel & ModelName;
