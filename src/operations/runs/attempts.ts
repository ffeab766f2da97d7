import { notFound } from "#domain/errors.ts";
import type { RecordedAttempt } from "#domain/runs/recorded-attempt.ts";
import { question as questionSchema } from "#domain/tasks/interaction.ts";
import type { Transaction } from "#db/database.ts";
import { readAttempts, readReusedSteps } from "#db/queries/runs/run-parts.ts";
import type { AttemptRow } from "#db/queries/runs/run-parts.ts";
import { locateRun, readRunHead } from "#db/queries/runs/run-heads.ts";
import type { LocatedRun, RunHeadRow } from "#db/queries/runs/run-heads.ts";
import { readAskedQuestion, readBegunParts, readSummaries } from "#db/queries/runs/step-records.ts";
import type { AskedQuestion } from "#db/queries/runs/step-records.ts";

/** An attempt of a run; by default the newest. */
export interface AttemptQuery {
  /** The id of a task or of a team run. */
  readonly id: string;
  readonly attempt?: number | undefined;
}

/** Finds an attempt of a run. @throws AppError `not_found`. */
export async function locate(tx: Transaction, { id, attempt }: AttemptQuery): Promise<LocatedRun> {
  const run = await locateRun(tx, id, attempt ?? null);
  if (run === undefined) throw notFound(attempt === undefined ? "Run" : "Run, or this attempt of it,");
  return run;
}

/** The id under which the steps and events of a run's attempt are stored. */
export function logIdOf({ id, teamRunId }: LocatedRun): string {
  return teamRunId ?? id;
}

/** The state of an attempt. Times are ISO 8601. */
export interface AttemptState {
  readonly n: number;
  readonly status: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly tokens: number;
  readonly cached_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
  readonly cost_usd: number;
  readonly error_code: string | null;
  readonly error: string | null;
  readonly result: string | null;
  /** Whether the beginning of its log was deleted after the retention; its steps go with it. */
  readonly isPurged: boolean;
}

/** Lists the attempts of a run. The newest has the run's status; earlier ones have the status in their logs. */
export async function attemptsOf(tx: Transaction, run: LocatedRun, head: RunHeadRow): Promise<readonly AttemptState[]> {
  const rows = await readAttempts(tx, run);
  return rows.map((row) => (row.n === run.newest ? newestState(row, head) : earlierState(row)));
}

function newestState(row: AttemptRow, head: RunHeadRow): AttemptState {
  const { status, startedAt, endedAt, error, errorCode, result } = head;
  const isPurged = endedAt !== null && startedAt !== null && !hasStart(row);
  const ends = { error_code: errorCode, error, result, isPurged };
  return { ...usedBy(row), status, started_at: startedAt, ended_at: endedAt, ...ends };
}

function earlierState(row: AttemptRow): AttemptState {
  const { first, last } = row;
  return {
    ...usedBy(row),
    status: endStatus(last),
    started_at: timeOf(first),
    ended_at: timeOf(last),
    error_code: codeOf(row),
    error: last?.message ?? null,
    result: last?.result ?? null,
    isPurged: last === null,
  };
}

function usedBy({ n, tokens, cachedTokens, cacheWriteTokens, reasoningTokens, costUsd }: AttemptRow) {
  return {
    n,
    tokens,
    cached_tokens: cachedTokens,
    cache_write_tokens: cacheWriteTokens,
    reasoning_tokens: reasoningTokens,
    cost_usd: costUsd,
  };
}

/** False if the beginning of its log was deleted, and for an attempt that was cancelled before it started. */
function hasStart({ first }: AttemptRow): boolean {
  return first?.type === "RUN_STARTED";
}

function codeOf({ last }: AttemptRow): string | null {
  return last?.type === "RUN_ERROR" ? (last.code ?? null) : null;
}

/** Reads how an attempt ended that another one followed; `unknown` when its log is no longer stored. */
export async function endOfAttempt(tx: Transaction, attempt: AttemptOf): Promise<string> {
  return endStatus((await readAttempt(tx, attempt))?.last ?? null);
}

/** Whether the log of an attempt that has started still begins with its start; the retention deletes steps with it. */
export async function isStartStored(tx: Transaction, attempt: AttemptOf): Promise<boolean> {
  const row = await readAttempt(tx, attempt);
  return row !== undefined && hasStart(row);
}

type AttemptOf = Pick<LocatedRun, "id" | "kind" | "attempt">;

async function readAttempt(tx: Transaction, { id, kind, attempt }: AttemptOf): Promise<AttemptRow | undefined> {
  return (await readAttempts(tx, { id, kind, newest: attempt })).at(-1);
}

/** For an attempt that another one followed. */
function endStatus(last: AttemptRow["last"]): string {
  if (last === null) return "unknown";
  if (last.type === "RUN_FINISHED") return "completed";
  return last.code === "CANCELLED" ? "cancelled" : "failed";
}

function timeOf(event: { readonly timestamp: number } | null): string | null {
  return event === null ? null : new Date(event.timestamp).toISOString();
}

const STATES: Readonly<Record<string, RecordedAttempt["status"]>> = {
  running: "running",
  waiting_for_input: "waiting",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

/** Reads all records of an attempt's steps, without their contents. */
export async function recordedAttempt(tx: Transaction, run: LocatedRun): Promise<RecordedAttempt> {
  const head = await readRunHead(tx, run);
  if (head === undefined) throw notFound("Run");
  const key = { logId: logIdOf(run), attempt: run.attempt };
  const state = (await attemptsOf(tx, run, head)).find(({ n }) => n === run.attempt);
  const [finished, begun, question, reused] = await Promise.all([
    readSummaries(tx, key),
    readBegunParts(tx, key),
    run.attempt === run.newest ? readAskedQuestion(tx, key.logId) : undefined,
    run.teamRunId === null ? [] : readReusedSteps(tx, run.teamRunId),
  ]);
  return {
    finished,
    begun,
    question: question && { key: question.key, title: titleOf(question), askedAt: question.askedAt },
    status: STATES[state?.status ?? ""] ?? "queued",
    errorCode: state?.error_code ?? null,
    startedAt: msOf(state?.started_at),
    endedAt: msOf(state?.ended_at),
    isTeam: run.teamRunId !== null,
    takenOver: reused.map(({ mode, step, label, isChanged }) => ({
      key: `${mode === "pipeline" ? "step" : "turn"}:${step}`,
      step,
      label,
      isChanged,
    })),
  };
}

function msOf(time: string | null | undefined): number | null {
  return time == null ? null : Date.parse(time);
}

/** The title of an open question. */
export function titleOf({ question }: Pick<AskedQuestion, "question">): string {
  const asked = questionSchema.safeParse(question);
  if (!asked.success) return "";
  return asked.data.kind === "prompt" ? asked.data.prompt.title : asked.data.title;
}
