import { z } from "zod";
import { attachmentRecord } from "#domain/files/attachments.ts";
import { feedbackRecord } from "#domain/runs/feedback.ts";
import { EXECUTION_OUTCOMES } from "#domain/runs/execution-outcome.ts";
import { budgetRecord } from "../budgets/budgets.ts";
import { runRow } from "./list-runs.ts";
import { runWithMessages } from "../teams/team-records.ts";

const time = z.iso.datetime();
const named = z.strictObject({ id: z.uuid(), name: z.string() });
const status = z
  .string()
  .describe("The status of the task or team run; for an earlier attempt: completed, failed, cancelled, or unknown.");

/** A run's header in the console: a task, or a team run without a task. */
export const runHead = z
  .strictObject({
    id: z.uuid().describe("The id of the task, or of a team run without a task."),
    kind: z.enum(["task", "run"]),
    log_id: z.uuid().describe("The id of this attempt's steps and events: the task's, or the team run's."),
    title: z.string(),
    status,
    agent: named.nullable(),
    team: named.nullable(),
    priority: z.string().nullable(),
    source: runRow.shape.source,
    created_by: named.nullable(),
    cancelled_by: named.nullable().describe("The person who cancelled this attempt, if it is the newest."),
    attempt: z.int().describe("The attempt of this record."),
    created_at: time,
    scheduled_for: time.nullable(),
    queued_at: time.nullable(),
    started_at: time.nullable(),
    ended_at: time.nullable(),
    duration_ms: z.number().nullable().describe("null while it runs."),
    waited_ms: z
      .int()
      .nullable()
      .describe(
        "The part of it spent waiting for people and rate limits, without a wait in progress. null for earlier attempts.",
      ),
    tokens: z.number(),
    cached_tokens: z.number().describe("The prompt tokens among them that providers read from their caches."),
    cache_write_tokens: z.number().describe("The prompt tokens among them that providers wrote to their caches."),
    reasoning_tokens: z.number().describe("The completion tokens among them that models reasoned with."),
    cost_usd: z.number(),
    error_code: z.string().nullable(),
    error: z.string().nullable(),
    question_due: time.nullable(),
    input: z.strictObject({ title: z.string(), description: z.string() }),
    result: z.string().nullable(),
    question: z.record(z.string(), z.unknown()).nullable().describe("The open question, as in INTERACTION_REQUEST."),
    forked_from: z
      .strictObject({
        id: z.uuid(),
        attempt: z.int().nullable().describe("null in the first forks of team runs."),
        from_step: z.int(),
      })
      .nullable(),
    attempts: z.array(
      z.strictObject({
        n: z.int(),
        status,
        started_at: time.nullable(),
        ended_at: time.nullable(),
        cost_usd: z.number(),
        tokens: z.number(),
        error_code: z.string().nullable(),
      }),
    ),
    forks: z.array(
      z.strictObject({
        id: z.uuid(),
        kind: z.enum(["task", "run"]),
        from_step: z.int(),
        status: z.string(),
        created_at: time,
      }),
    ),
    agents: z
      .array(
        z.strictObject({
          id: z.uuid(),
          name: z.string().nullable().describe("null when the agent was deleted."),
          version: z.int().nullable().describe("The agent version; null when the agent was changed for this run."),
          current_version: z.int().nullable(),
        }),
      )
      .describe("The agents of this attempt."),
    executions: z
      .array(
        z.strictObject({
          n: z.int(),
          process: z.string().nullable().describe("Host and process id."),
          from: time,
          to: time.nullable(),
          end: z.enum(EXECUTION_OUTCOMES).nullable().describe("lost: its process died. null while it runs."),
        }),
      )
      .describe("The executions of this attempt, in order."),
    seq: z.int().describe("The number of the newest event of the log; 0 when there is none."),
    details: z.enum(["kept", "purged"]).describe("purged: the steps were deleted after RETENTION_DAYS."),
    queue: z
      .strictObject({
        paused: z.boolean().describe("The workspace starts no new work."),
        ahead: z.int().describe("Runs that start before it, counted up to 1,000."),
        running: z.int().describe("Running runs of the workspace, counted up to 1,000."),
        processes: z.int().describe("Processes that can run it."),
      })
      .nullable()
      .describe("Why it has not started; null when it has, or is not queued."),
    model_wait: z
      .strictObject({
        provider: z.string(),
        model: z.string(),
        reason: z.enum(["limit", "closed"]).describe("closed: the provider rejected a call. limit: others use it up."),
        until: time.describe("When the call is made, about."),
        ahead: z.int().describe("Calls that are made before it."),
        since: time,
      })
      .nullable()
      .describe("The rate limit of a model for which it waits; null when it does not. It holds no slot meanwhile."),
    links: z
      .strictObject({ log: z.string().nullable(), trace: z.string().nullable() })
      .describe("Links to the run in the operator's own tools, from log_url and trace_url."),
    budgets: z.array(budgetRecord).describe("The budgets that apply with their current use, the run's own first."),
    files: z.array(attachmentRecord),
    feedback: z.array(feedbackRecord).describe("What people said of the run and its messages, in all attempts."),
    messages: runWithMessages.shape.messages,
    delegations: runWithMessages.shape.delegations,
    usage_by_turn: runWithMessages.shape.usage_by_turn.describe("The usage of each turn of a team's agents, in order."),
  })
  .meta({ id: "RunHead" });
