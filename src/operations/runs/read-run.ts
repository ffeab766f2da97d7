import { notFound } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Transaction } from "#db/database.ts";
import {
  readAgents,
  readBudgets,
  readExecutions,
  readFiles,
  readForks,
  readTeamTalk,
} from "#db/queries/runs/run-parts.ts";
import { readRunHead } from "#db/queries/runs/run-heads.ts";
import type { LocatedRun, RunHeadRow } from "#db/queries/runs/run-heads.ts";
import { readSummaries } from "#db/queries/runs/step-records.ts";
import { readStreamHeadIn } from "#db/queries/streams/task-events.ts";
import type { Services } from "../context.ts";
import { attemptsOf, locate, logIdOf } from "./attempts.ts";
import type { AttemptQuery, AttemptState } from "./attempts.ts";

/** Reads a run as the console shows its head. @throws AppError `not_found`. */
export function readRun({ db }: Services, who: Principal, query: AttemptQuery): Promise<object> {
  return db.inWorkspace(who, async (tx) => {
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
    };
  });
}

function rowOf(run: LocatedRun, head: RunHeadRow, shown: AttemptState) {
  const { status, started_at, ended_at, tokens, cost_usd, error, error_code, result } = shown;
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
    attempt: run.attempt,
    created_at: head.createdAt,
    queued_at: isNewest ? head.queuedAt : null,
    started_at,
    ended_at,
    duration_ms: durationOf(shown),
    waited_ms: isNewest ? Math.round(head.waitedMs) : null,
    tokens,
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

async function partsOf(tx: Transaction, run: LocatedRun, head: RunHeadRow, shown: AttemptState) {
  const logId = logIdOf(run);
  const targets = [run.id, run.teamRunId, head.agent?.id, head.team?.id];
  const [budgets, forks, agents, executions, files, talk, steps, log] = await Promise.all([
    readBudgets(
      tx,
      targets.filter((id) => typeof id === "string"),
    ),
    readForks(tx, [run.id, logId]),
    readAgents(tx, run),
    readExecutions(tx, logId, run.attempt),
    readFiles(tx, run),
    readTeamTalk(tx, run),
    readSummaries(tx, { logId, attempt: run.attempt }),
    readStreamHeadIn(tx, logId),
  ]);
  const isPurged = shown.ended_at !== null && shown.hasUsage && steps.length === 0;
  const details = isPurged ? "purged" : "kept";
  return { budgets, forks, agents, executions, files, ...talk, seq: log?.last_seq ?? 0, details };
}
