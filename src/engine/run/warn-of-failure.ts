import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import type { EngineServices } from "./run-context.ts";

/** A failed attempt. */
export interface FailedAttempt {
  readonly runId: string;
  readonly workspaceId: string;
  readonly attempt: number;
  /** The agents that worked on it. */
  readonly agents: readonly AgentSnapshot[];
  readonly code: string | null;
  /** The error that its owner sees. */
  readonly reason: string | null;
}

/** Warns the operator of a failed run; call it when its end is stored. */
export function warnOfFailure({ log }: Pick<EngineServices, "log">, failed: FailedAttempt): void {
  const { runId, workspaceId, attempt, agents, code, reason } = failed;
  const provider = [...new Set(agents.map((agent) => agent.provider))].join(", ");
  log.warn({ run_id: runId, workspace_id: workspaceId, attempt, provider, error_code: code, reason }, "a run failed");
}
