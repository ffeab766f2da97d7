import type { Job } from "./jobs.ts";
import type { ScratchDatabase } from "./scratch-database.ts";
import type { ModelCall, Vendor } from "./vendor/vendor.ts";
import { QUESTION } from "./vendor/conversation.ts";
import { SCHEDULED_TITLE } from "./workspace.ts";

/** Something that must not happen. */
export interface Claim {
  /** What is counted, such as `runs lost`. */
  readonly name: string;
  /** How many could have been. */
  readonly checked: number;
  /** A sentence for each that was. */
  readonly broken: readonly string[];
}

/** What is audited when all work is over. */
export interface Evidence {
  readonly jobs: readonly Job[];
  /** For each job, the ids of its events as a new reader gets them. */
  readonly replays: readonly (readonly string[])[];
  readonly vendor: Vendor;
  readonly database: ScratchDatabase;
}

/** Counts what was lost, doubled or repeated. */
export async function audit({ jobs, replays, vendor, database }: Evidence): Promise<readonly Claim[]> {
  const steps = await recordedSteps(database);
  return [
    runsLost(jobs),
    await runsDoubled(jobs, database),
    stepsPaidTwice(steps, vendor),
    toolCallsRepeated(steps, vendor),
    ...events(jobs, replays),
    ...(await deliveries(database, vendor)),
    answersAppliedTwice(jobs, vendor),
    await firedTwice(database),
  ];
}

interface RecordedStep {
  readonly run: string;
  readonly key: string;
  readonly result: string;
  /** In milliseconds since 1970, by the clock of this machine. */
  readonly at: number;
}

/** Steps that hold a reply or a receipt of the vendor. */
const STEPS = `
  select run_id as run, key, result::text as result, extract(epoch from created_at)::double precision * 1000 + $1 as at
  from run_steps where result::text ~ '#[0-9]+#|receipt-[0-9]+\\.'`;
const MARK = /#\d+#/;
const RECEIPT = /receipt-\d+\./;

async function recordedSteps(database: ScratchDatabase): Promise<readonly RecordedStep[]> {
  return database.query<RecordedStep>(STEPS, [await clockOffset(database)]);
}

/** By how many milliseconds this machine's clock is ahead of the server's. */
async function clockOffset(database: ScratchDatabase): Promise<number> {
  const before = Date.now();
  const [row] = await database.query<{ now: number }>(
    "select extract(epoch from clock_timestamp())::double precision * 1000 as now",
  );
  return row === undefined ? 0 : (before + Date.now()) / 2 - row.now;
}

function runsLost(jobs: readonly Job[]): Claim {
  const broken = jobs
    .filter(({ end }) => end.status !== "completed")
    .map(({ title, end }) => `Task ${title} is ${end.status}: ${end.error ?? "no error"}.`);
  return { name: "runs lost", checked: jobs.length, broken };
}

async function runsDoubled(jobs: readonly Job[], database: ScratchDatabase): Promise<Claim> {
  const rows = await database.query<{ title: string; count: number }>(
    "select title, count(*)::integer as count from tasks where title <> $1 group by title having count(*) > 1",
    [SCHEDULED_TITLE],
  );
  const answered = jobs.filter(({ ids }) => ids.size > 1).map(({ title }) => `${title} was answered with two ids.`);
  const checked = jobs.reduce((sum, { repeats }) => sum + repeats, 0);
  return {
    name: "repeated requests run twice",
    checked,
    broken: [...answered, ...rows.map(({ title, count }) => `Task ${title} exists ${count} times.`)],
  };
}

/** A call is repeated needlessly when it came after the outcome of the same call had been recorded. */
function stepsPaidTwice(steps: readonly RecordedStep[], { modelCalls }: Vendor): Claim {
  const byMark = new Map(modelCalls.map((call) => [call.mark, call]));
  // The tasks of the schedule share their title: which call is whose cannot be told.
  const byTurn = Map.groupBy(
    modelCalls.filter(({ turn }) => turn.title !== SCHEDULED_TITLE),
    ({ turn }) => turn.key,
  );
  const replies = steps.flatMap((step) => {
    const call = byMark.get(MARK.exec(step.result)?.[0] ?? "");
    return step.key.includes("model:") && call !== undefined && byTurn.has(call.turn.key) ? [{ step, call }] : [];
  });
  const isLater = ({ at }: ModelCall, step: RecordedStep) => at > step.at;
  const broken = replies.flatMap(({ step, call }) =>
    (byTurn.get(call.turn.key) ?? [])
      .filter((other) => isLater(other, step))
      .map((other) => `${call.turn.key} was recorded with ${call.mark} and asked again as ${other.mark}.`),
  );
  return { name: "steps paid twice", checked: replies.length, broken };
}

function toolCallsRepeated(steps: readonly RecordedStep[], { toolCalls }: Vendor): Claim {
  const byReceipt = new Map(toolCalls.map((call) => [call.receipt, call]));
  const byKey = Map.groupBy(toolCalls, ({ key }) => key);
  const results = steps.flatMap((step) => {
    const call = byReceipt.get(RECEIPT.exec(step.result)?.[0] ?? "");
    return step.key.includes("tool:") && call !== undefined ? [{ step, call }] : [];
  });
  const broken = results.flatMap(({ step, call }) =>
    (byKey.get(call.key) ?? [])
      .filter(({ at }) => at > step.at)
      .map(
        (other) => `The tool call of ${call.title} was recorded with ${call.receipt} and made again: ${other.receipt}`,
      ),
  );
  return { name: "tool calls repeated", checked: results.length, broken };
}

function events(jobs: readonly Job[], replays: Evidence["replays"]): readonly Claim[] {
  const checked = replays.reduce((sum, replay) => sum + replay.length, 0);
  const missed = jobs.flatMap(({ title, received }, index) => {
    const got = new Set(received);
    return (replays[index] ?? [])
      .filter((id) => !got.has(id))
      .map((id) => `The reader of ${title} missed event ${id}.`);
  });
  const doubled = jobs.flatMap(({ title, received }) =>
    received
      .filter((id, place) => received.indexOf(id) < place)
      .map((id) => `The reader of ${title} got event ${id} twice.`),
  );
  return [
    { name: "events missed", checked, broken: missed },
    { name: "events doubled", checked, broken: doubled },
  ];
}

async function deliveries(database: ScratchDatabase, vendor: Vendor): Promise<readonly Claim[]> {
  const ended = await database.query<{ id: string; title: string }>(
    "select coalesce(team_run_id, id) as id, title from tasks where status in ('completed', 'failed')",
  );
  const received = Map.groupBy(vendor.deliveries, ({ runId }) => runId);
  const lost = ended.filter(({ id }) => !received.has(id));
  const doubled = ended.filter(({ id }) => new Set(received.get(id)?.map((delivery) => delivery.id)).size > 1);
  return [
    { name: "deliveries lost", checked: ended.length, broken: lost.map(({ title }) => `Nobody was told of ${title}.`) },
    {
      name: "deliveries doubled",
      checked: ended.length,
      broken: doubled.map(({ title }) => `${title} was delivered under two ids.`),
    },
  ];
}

/** The model must have seen one answer to each question: the one that was accepted. */
function answersAppliedTwice(jobs: readonly Job[], { modelCalls }: Vendor): Claim {
  const asked = jobs.filter(({ title }) => title.endsWith(" question"));
  const broken = asked.flatMap(({ title, accepted }) => {
    const seen = new Set(
      modelCalls
        .filter(({ turn }) => turn.title === title && turn.last.includes(QUESTION))
        .map(({ turn }) => turn.last),
    );
    const [last = ""] = seen;
    const isRight = seen.size <= 1 && accepted.length <= 1 && accepted.every((text) => last.includes(text));
    return isRight
      ? []
      : [`The question of ${title} accepted ${accepted.join(", ")}, and the model saw ${[...seen].join(", ")}.`];
  });
  return { name: "answers applied twice", checked: asked.length, broken };
}

async function firedTwice(database: ScratchDatabase): Promise<Claim> {
  const rows = await database.query<{ due: string; count: number }>(
    "select scheduled_for::text as due, count(*)::integer as count from tasks where title = $1 group by 1",
    [SCHEDULED_TITLE],
  );
  const broken = rows
    .filter(({ count }) => count > 1)
    .map(({ due, count }) => `The schedule fired ${count} times at ${due}.`);
  return { name: "schedule times fired twice", checked: rows.length, broken };
}
