import { z } from "zod";
import { givenId } from "../given-id.ts";
import { attachmentIds } from "../files/attachments.ts";
import { runBudget } from "../budgets/budget.ts";
import type { GivenPart } from "./run-fork.ts";
import type { AgentSnapshot } from "../tasks/run-job.ts";
import type { TeamDesign } from "./team.ts";

/** The states of a team's run, in the order of a life. */
export const RUN_STATUSES = ["pending", "running", "waiting_for_input", "completed", "failed", "cancelled"] as const;

/** One of {@link RUN_STATUSES}. */
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * Every transition that a run may make: from a state, to the states after it.
 * The SQL statements that write a status take their condition from {@link runSourcesOf}.
 */
export const RUN_TRANSITIONS: Readonly<Record<RunStatus, readonly RunStatus[]>> = Object.freeze({
  pending: ["running", "cancelled"],
  running: ["waiting_for_input", "completed", "failed", "cancelled"],
  waiting_for_input: ["running", "failed", "cancelled"],
  completed: ["pending"],
  failed: ["pending"],
  cancelled: ["pending"],
});

/** The states from which a run may enter a state: the condition of a guarded update. */
export function runSourcesOf(to: RunStatus): readonly RunStatus[] {
  return RUN_STATUSES.filter((from) => RUN_TRANSITIONS[from].includes(to));
}

/** What agents of a run say to each other. */
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
    input_task: z.string().min(1).max(100_000),
    attachments: attachmentIds,
    budget: runBudget.nullish(),
  })
  .describe("Starts a team on a piece of work.");

/** A run to start, checked. */
export type RunCreate = z.output<typeof runCreate>;

/** The body of PATCH /api-runs. */
export const runPatch = z.strictObject({
  status: z.enum(RUN_STATUSES).describe("cancelled stops a run; pending runs one that has ended again."),
});

/** Fields of a record that a client may send back when it starts a run like it; they are ignored. */
export const RUN_READ_ONLY = [
  "id",
  "workspace_id",
  "task_id",
  "status",
  "output",
  "error",
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

/** The same when it changes a run: only the status can change. */
export const RUN_UNCHANGEABLE = [
  "team_id",
  "input_task",
  "attachments",
  ...RUN_READ_ONLY.filter((field) => field !== "status"),
];

/** A team's run, as the durable engine gets it; the database function `enqueue_team_run` builds it. */
export interface TeamRunJob {
  readonly workspaceId: string;
  readonly runId: string;
  readonly attempt: number;
  /** The task whose work the run does, in the attempt of the same number; null when there is none. */
  readonly taskId: string | null;
  readonly inputTask: string;
  /**
   * In a fork, what each step of a pipeline or turn of a discussion that is not done came to, from the first on:
   * nobody's words when it was skipped. Absent in runs that were started before there were forks, as are the next two.
   */
  readonly given?: readonly (readonly GivenPart[])[];
  /** In a fork of another mode's run than a pipeline's, what a person says besides, by the step's number. */
  readonly asides?: Readonly<Record<string, { readonly instructions: string }>>;
  /** Whether the attempt's journal holds steps of another run from its beginning. */
  readonly hasJournal?: boolean;
  /** The team as it was when the run was started. */
  readonly team: TeamDesign & { readonly id: string; readonly name: string };
  /** The agents that its config names, but for those that had been deleted. */
  readonly agents: readonly AgentSnapshot[];
}
