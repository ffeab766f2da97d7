import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

// Recorded steps as people see them; for executions see tasks/run-steps.ts.

/** An attempt of a run. */
export interface AttemptKey {
  /** The id of its log and steps: the task's, or the team run's. */
  readonly logId: string;
  readonly attempt: number;
}

/** A finished step in a list; times are in Unix milliseconds. */
export interface StepSummary {
  readonly key: string;
  /** In the form of `stepFacts`; null for steps of earlier versions. */
  readonly facts: unknown;
  readonly startedAt: number | null;
  readonly firstTokenAt: number | null;
  readonly endedAt: number;
}

/** A finished step of a list. */
export interface ListedStep extends StepSummary {
  /** Times of tries of a model call that failed, as pairs of beginning and end; null where none did. */
  readonly failedTries: readonly (readonly [number, number])[] | null;
}

const MAX_TRIES = 20;

const SUMMARIES = statement({
  name: "read-step-summaries",
  text: `
    select key, facts, unix_ms(started_at) as "startedAt", unix_ms(first_token_at) as "firstTokenAt",
      unix_ms(coalesce(ended_at, created_at)) as "endedAt",
      case when tries is not null then (
        select json_agg(json_build_array(t.try->'started_at', t.try->'ended_at') order by t.n)
        from json_array_elements(tries) with ordinality t (try, n)
        where t.try->>'message' is not null and t.n <= $3) end as "failedTries"
    from run_steps where run_id = $1 and attempt = $2 order by created_at, key`,
});

/** Reads the finished steps of an attempt, without their contents. */
export function readSummaries(tx: Transaction, { logId, attempt }: AttemptKey): Promise<ListedStep[]> {
  return tx.query<ListedStep>(SUMMARIES, [logId, attempt, MAX_TRIES]);
}

const CONTENTS = statement({
  name: "read-step-contents",
  text: `
    select key, request, result::text as result from run_steps
    where run_id = $1 and attempt = $2 and key = any($3::text[])`,
});

/** The input and output of a finished step. */
export interface StepContents {
  readonly key: string;
  readonly request: unknown;
  /** JSON. */
  readonly result: string;
}

/** Reads the contents of those finished steps of an attempt that have one of these keys. */
export function readContents(
  tx: Transaction,
  { logId, attempt }: AttemptKey,
  keys: readonly string[],
): Promise<StepContents[]> {
  return tx.query<StepContents>(CONTENTS, [logId, attempt, keys]);
}

/** Something that started in an attempt: a turn of a team run, or a tool call. */
export interface BegunPart {
  readonly kind: "turn" | "tool";
  /** The turn's key; for a tool call `<turn key>/<call id>`. */
  readonly key: string;
  /** The name of the turn or tool. */
  readonly label: string;
  readonly agentId: string | null;
  readonly at: number;
  /** Null if its end is not in the log. */
  readonly endedAt: number | null;
  /** The code with which a turn ended that has no result. */
  readonly code: string | null;
}

// Of a packed log, only the marks of parts without a result still have keys. Tool calls that the end of the run closed
// have an end without a key.
const BEGUN = statement({
  name: "read-begun-parts",
  text: `
    with part as (
      select e.seq, e.event->>'type' as type, e.event->>'agentId' as agent_id, (e.event->>'timestamp')::float8 as at,
        coalesce(e.event->>'toolCallId', left(e.key, greatest(length(e.key) - position('/' in reverse(e.key)), 0))) as key,
        coalesce(e.event->>'toolName', e.event->>'stepName') as label, e.event->>'code' as code
      from task_events e
      where e.log_id = $1 and e.attempt = $2 and e.key is not null
        and e.event->>'type' in ('STEP_STARTED', 'STEP_FINISHED', 'TOOL_CALL_START', 'TOOL_CALL_END')
    )
    select case b.type when 'STEP_STARTED' then 'turn' else 'tool' end as kind, b.key, b.label,
      b.agent_id as "agentId", b.at, o.at as "endedAt", o.code
    from part b
    left join part o on o.key = b.key
      and o.type = case b.type when 'STEP_STARTED' then 'STEP_FINISHED' else 'TOOL_CALL_END' end
    where b.type in ('STEP_STARTED', 'TOOL_CALL_START') and b.key is not null order by b.seq`,
});

/** The parts that have started in an attempt, in order; of a packed one those that have no result. */
export function readBegunParts(tx: Transaction, { logId, attempt }: AttemptKey): Promise<BegunPart[]> {
  return tx.query<BegunPart>(BEGUN, [logId, attempt]);
}

const OPEN_QUESTION = statement({
  name: "read-open-question-of-run",
  text: `
    select answer_key as key, question, interaction_id as "interactionId", unix_ms(asked_at) as "askedAt",
      unix_ms(deadline) as deadline
    from task_questions where subject_id = $1`,
});

/** The open question of a run. */
export interface AskedQuestion {
  /** The key of the step that will record its answer. */
  readonly key: string;
  /** In the form of `question`. */
  readonly question: unknown;
  readonly interactionId: string;
  readonly askedAt: number;
  readonly deadline: number;
}

/** Reads a run's open question; undefined when there is none. */
export async function readAskedQuestion(tx: Transaction, logId: string): Promise<AskedQuestion | undefined> {
  const [row] = await tx.query<AskedQuestion>(OPEN_QUESTION, [logId]);
  return row;
}

/** A finished step with everything recorded; contents are JSON. */
export interface WholeStep extends StepSummary {
  readonly result: string;
  readonly request: unknown;
  readonly tries: unknown;
  readonly exchanges: unknown;
}

const WHOLE = statement({
  name: "read-whole-step",
  text: `
    select key, facts, unix_ms(started_at) as "startedAt", unix_ms(first_token_at) as "firstTokenAt",
      unix_ms(coalesce(ended_at, created_at)) as "endedAt", result::text as result, request, tries, exchanges
    from run_steps where run_id = $1 and attempt = $2 and key = $3`,
});

/** Reads a finished step; undefined when the attempt has none with this key. */
export async function readWholeStep(
  tx: Transaction,
  { logId, attempt }: AttemptKey,
  key: string,
): Promise<WholeStep | undefined> {
  const [row] = await tx.query<WholeStep>(WHOLE, [logId, attempt, key]);
  return row;
}

const REQUESTS = statement({
  name: "read-requests-of-turn",
  text: `
    select key, request from run_steps
    where run_id = $1 and attempt = $2 and key = any($3::text[]) and request is not null`,
});

/** Reads the requests recorded for steps with these keys. */
export function readRequests(
  tx: Transaction,
  { logId, attempt }: AttemptKey,
  keys: readonly string[],
): Promise<{ key: string; request: unknown }[]> {
  return tx.query<{ key: string; request: unknown }>(REQUESTS, [logId, attempt, keys]);
}
