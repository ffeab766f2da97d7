import { z } from "zod";
import { givenId } from "../given-id.ts";
import { attachmentIds } from "../files/attachments.ts";
import { runBudget } from "../budgets/budget.ts";
import type { GivenPart } from "./run-fork.ts";
import type { AgentSnapshot } from "../tasks/run-job.ts";
import type { TeamDesign } from "./team.ts";

/** The states of a team run, in the order of its life cycle. */
export const RUN_STATUSES = ["pending", "running", "waiting_for_input", "completed", "failed", "cancelled"] as const;

/** One of {@link RUN_STATUSES}. */
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * The allowed transitions of a run: from a state, to the next states. The statement that
 * restarts a run takes its condition from {@link runSourcesOf}.
 */
export const RUN_TRANSITIONS: Readonly<Record<RunStatus, readonly RunStatus[]>> = Object.freeze({
  pending: ["running", "cancelled"],
  running: ["waiting_for_input", "completed", "failed", "cancelled"],
  waiting_for_input: ["running", "failed", "cancelled"],
  completed: ["pending"],
  failed: ["pending"],
  cancelled: ["pending"],
});

/** Returns the states from which a run may enter a state: the condition of a guarded update. */
export function runSourcesOf(to: RunStatus): readonly RunStatus[] {
  return RUN_STATUSES.filter((from) => RUN_TRANSITIONS[from].includes(to));
}

/** The types of messages between a run's agents. */
export const MESSAGE_TYPES = [
  "delegation",
  "handoff",
  "broadcast",
  "tool_call",
  "result",
  "system",
  "rejection",
  "revision_request",
  "discussion",
] as const;

/** One of {@link MESSAGE_TYPES}. */
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** The body of POST /api-runs. */
export const runCreate = z
  .strictObject({
    team_id: givenId,
    input_task: z.string().min(1, { abort: true }).max(100_000).regex(/\S/, "must not be blank"),
    attachments: attachmentIds,
    budget: runBudget.nullish(),
  })
  .describe("Starts a team run.");

/** A run to start, validated. */
export type RunCreate = z.output<typeof runCreate>;

/** The body of PATCH /api-runs. */
export const runPatch = z.strictObject({
  status: z.enum(RUN_STATUSES).describe("cancelled stops a run; pending restarts a finished one."),
});

/** Fields of a record that a client may send back when it starts a similar run; they are ignored. */
export const RUN_READ_ONLY = [
  "id",
  "workspace_id",
  "task_id",
  "status",
  "output",
  "error",
  "finish_reason",
  "output_truncated",
  "interaction",
  "current_step_idx",
  "usage",
  "attempt",
  "forked_from",
  "created_by",
  "created_at",
  "updated_at",
  "started_at",
  "completed_at",
  "messages",
  "delegations",
  "usage_by_turn",
] as const;

/** Fields ignored in a change of a run: only the status can change. */
export const RUN_UNCHANGEABLE = [
  "team_id",
  "input_task",
  "attachments",
  ...RUN_READ_ONLY.filter((field) => field !== "status"),
];

/** The input of a team run's job; the database function `job_of_team_run` builds it. */
export interface TeamRunJob {
  readonly workspaceId: string;
  readonly runId: string;
  readonly attempt: number;
  /** The task that the run works on, in the attempt with the same number; null for none. */
  readonly taskId: string | null;
  readonly inputTask: string;
  /** As `readStoredTrace` reads it; null when the run is not traced, absent in runs from before traces existed. */
  readonly trace?: string | null;
  /**
   * In a fork, the contributions of each pipeline step or discussion turn that is taken over, starting with the first;
   * empty when it was skipped. This field and the next two are absent in runs from before forks existed.
   */
  readonly given?: readonly (readonly GivenPart[])[];
  /** In a fork of a discussion or an orchestrator, a person's additional instructions, by the step's number. */
  readonly asides?: Readonly<Record<string, { readonly instructions: string }>>;
  /** Whether the attempt's journal starts with steps of another run. */
  readonly hasJournal?: boolean;
  /** Whether the workspace had budgets when the run was queued. */
  readonly hasBudgets?: boolean;
  /** The team when the run was started. */
  readonly team: TeamDesign & { readonly id: string; readonly name: string };
  /** The agents of its config, without those that had been deleted. */
  readonly agents: readonly AgentSnapshot[];
}
