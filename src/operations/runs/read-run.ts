import { notFound } from "#domain/errors.ts";
import { fillLink } from "#domain/access/workspace-change.ts";
import type { Transaction } from "#db/database.ts";
import {
  readAgents,
  readBudgets,
  readExecutions,
  readFiles,
  readForks,
  readTeamTalk,
} from "#db/queries/runs/run-parts.ts";
import { readFeedback } from "#db/queries/runs/feedback.ts";
import { readRunHead } from "#db/queries/runs/run-heads.ts";
import type { LocatedRun, RunHeadRow } from "#db/queries/runs/run-heads.ts";
import { readModelWait } from "#db/queries/runs/model-waits.ts";
import { readQueue } from "#db/queries/runs/run-queue.ts";
import type { RunQueue } from "#db/queries/runs/run-queue.ts";
import { readSummaries } from "#db/queries/runs/step-records.ts";
import type { AttemptKey } from "#db/queries/runs/step-records.ts";
import { readStreamHeadIn } from "#db/queries/streams/task-events.ts";
import { attemptsOf, locate, logIdOf } from "./attempts.ts";
import type { AttemptQuery, AttemptState } from "./attempts.ts";
import type { Workspace } from "../workspace.ts";

/** Reads a run's header for the console. @throws AppError `not_found`. */
export function readRun(workspace: Workspace, query: AttemptQuery): Promise<object> {
  return workspace.transaction(async (tx) => {
    const run = await locate(tx, query);
    const head = await readRunHead(tx, run);
    if (head === undefined) throw notFound("Run");
    const attempts = await attemptsOf(tx, run, head);
    const shown = attempts.find(({ n }) => n === run.attempt);
    if (shown === undefined) throw notFound("Run");
    return {
      ...rowOf(run, head, shown),
      attempts: attempts.map(asAttempt),
      ...(await partsOf(tx, run, head, shown)),
      ...(await contextOf(tx, run, shown)),
    };
  });
}

function rowOf(run: LocatedRun, head: RunHeadRow, shown: AttemptState) {
  const { status, started_at, ended_at, tokens, cached_tokens, cache_write_tokens, reasoning_tokens, cost_usd } = shown;
  const { error, error_code, result } = shown;
  const isNewest = run.attempt === run.newest;
  return {
    id: run.id,
    kind: run.kind,
    log_id: logIdOf(run),
    title: head.title,
    status,
    agent: head.agent,
    team: head.team,
    priority: head.priority,
    source: head.source,
    created_by: head.createdBy,
    cancelled_by: isNewest && status === "cancelled" ? head.cancelledBy : null,
    attempt: run.attempt,
    created_at: head.createdAt,
    scheduled_for: head.scheduledFor,
    queued_at: isNewest ? head.queuedAt : null,
    started_at,
    ended_at,
    duration_ms: durationOf(shown),
    waited_ms: isNewest ? Math.round(head.waitedMs) : null,
    tokens,
    cached_tokens,
    cache_write_tokens,
    reasoning_tokens,
    cost_usd,
    error_code,
    error,
    question_due: isNewest ? head.questionDue : null,
    input: head.input,
    result,
    question: isNewest ? head.interaction : null,
    forked_from: head.fork,
  };
}

function durationOf({ started_at: start, ended_at: end }: AttemptState): number | null {
  return start === null || end === null ? null : Math.max(Date.parse(end) - Date.parse(start), 0);
}

function asAttempt({ n, status, started_at, ended_at, cost_usd, tokens, error_code }: AttemptState) {
  return { n, status, started_at, ended_at, cost_usd, tokens, error_code };
}

/** Reads the run's surroundings: the queue or the rate limit for which it waits, and its URL in the operator's own tools. */
async function contextOf(tx: Transaction, run: LocatedRun, shown: AttemptState) {
  const [{ logUrl, traceUrl, ...queue }, wait] = await Promise.all([
    readQueue(tx, logIdOf(run), run.attempt),
    shown.status === "running" ? readModelWait(tx, logIdOf(run), run.attempt) : undefined,
  ]);
  return {
    queue: isQueued(shown) ? queueOf(queue) : null,
    model_wait: wait ?? null,
    links: linksOf({ logUrl, traceUrl }, run, shown),
  };
}

function isQueued({ status, started_at: startedAt }: AttemptState): boolean {
  return startedAt === null && (status === "dispatched" || status === "pending");
}

function queueOf({ paused, ahead, running, processes }: Pick<RunQueue, "paused" | "ahead" | "running" | "processes">) {
  return { paused, ahead, running, processes };
}

function linksOf({ logUrl, traceUrl }: Pick<RunQueue, "logUrl" | "traceUrl">, run: LocatedRun, shown: AttemptState) {
  const fields = {
    run_id: run.id,
    attempt: String(run.attempt),
    started_at: shown.started_at ?? "",
    ended_at: shown.ended_at ?? "",
  };
  const fill = (template: string | null) => (template === null ? null : fillLink(template, fields));
  return { log: fill(logUrl), trace: fill(traceUrl) };
}

async function partsOf(tx: Transaction, run: LocatedRun, head: RunHeadRow, shown: AttemptState) {
  const logId = logIdOf(run);
  const targets = [run.id, run.teamRunId, head.agent?.id, head.team?.id];
  const [budgets, forks, agents, executions, files, feedback, talk, isEmpty, log] = await Promise.all([
    readBudgets(
      tx,
      targets.filter((id) => typeof id === "string"),
    ),
    readForks(tx, [run.id, logId]),
    readAgents(tx, run),
    readExecutions(tx, logId, run.attempt),
    readFiles(tx, run),
    readFeedback(tx, run.id),
    readTeamTalk(tx, run),
    // Only a purged attempt may have lost its steps: those of a long run are not read in vain each second that it runs.
    shown.isPurged && hasNoSteps(tx, { logId, attempt: run.attempt }),
    readStreamHeadIn(tx, logId),
  ]);
  const details = isEmpty ? "purged" : "kept";
  return { budgets, forks, agents, executions, files, feedback, ...talk, seq: log?.last_seq ?? 0, details };
}

async function hasNoSteps(tx: Transaction, attempt: AttemptKey): Promise<boolean> {
  return (await readSummaries(tx, attempt)).length === 0;
}
