/** The agent as it was when the task was dispatched: what a run needs of it. */
export interface AgentSnapshot {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly fallback_model: string | null;
  readonly system_prompt: string;
  readonly temperature: number;
  readonly max_tokens: number | null;
  readonly tools: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
}

/** A run of a task's attempt, as the durable engine gets it; the database function `enqueue_run` builds it. */
export interface RunJob {
  readonly workspaceId: string;
  readonly taskId: string;
  readonly attempt: number;
  readonly title: string;
  readonly description: string;
  readonly agent: AgentSnapshot;
}
