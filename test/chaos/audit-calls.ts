import { z } from "zod";
import { sql } from "../support/workspace.ts";
import type { CountedCall } from "./provider.ts";

const MARK = /#\d+#/;

const parts = z
  .array(z.looseObject({ type: z.string(), text: z.string().optional() }))
  .transform((list) => list.map(({ type, text }) => (type === "text" ? text : "")).join(""));
const outcome = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), reply: z.object({ parts }) }),
  z.object({ ok: z.literal(false) }),
]);

interface RecordedStep extends Record<string, unknown> {
  readonly run: string;
  readonly key: string;
  readonly result: unknown;
  /** In milliseconds since 1970. */
  readonly at: number;
}

const RECORDED = `
  select run_id as run, key, result, (extract(epoch from created_at) * 1000)::double precision as at
  from run_steps where key ~ '(^|/)model:[0-9]+$'`;

/** Calls without a recorded reply are in the usage as interrupted. */
const PAID = `
  select coalesce(team_run_id, task_id) as run, count(*)::integer as count from usage_records where not interrupted group by 1`;

/**
 * Returns the calls that were made although their answer was recorded, were made in another form than before, were recorded with an answer that no provider gave, or were not paid exactly once.
 */
export async function auditCalls(databaseUrl: string, calls: readonly CountedCall[]): Promise<readonly string[]> {
  const steps = await sql<RecordedStep>(databaseUrl, RECORDED);
  return [
    ...steps.flatMap((step) => repeated(step, calls)),
    ...changed(calls),
    ...(await wronglyPaid(databaseUrl, steps)),
  ];
}

function repeated({ run, key, result, at }: RecordedStep, calls: readonly CountedCall[]): string[] {
  const parsed = outcome.parse(result);
  if (!parsed.ok) return [];
  const [mark] = MARK.exec(parsed.reply.parts) ?? [];
  const answered = calls.find((call) => call.mark === mark);
  if (answered === undefined) return [`${run} recorded for ${key} what nobody has said: ${parsed.reply.parts}`];
  return calls
    .filter((call) => call.turn === answered.turn && call.at > at)
    .map(
      (call) =>
        `${call.turn}: ${mark} of ${answered.by} was recorded at ${asTime(at)}, and ${call.by} asked again at ${asTime(call.at)} (${call.mark})`,
    );
}

function changed(calls: readonly CountedCall[]): string[] {
  const hashes = Map.groupBy(calls, ({ turn }) => turn);
  return [...hashes]
    .filter(([, same]) => new Set(same.map(({ hash }) => hash)).size > 1)
    .map(([turn, same]) => `${turn} was asked with different words: ${same.map(({ mark }) => mark).join(", ")}`);
}

function asTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

async function wronglyPaid(databaseUrl: string, steps: readonly RecordedStep[]): Promise<string[]> {
  const paid = await sql<{ run: string; count: number }>(databaseUrl, PAID);
  const counts = new Map(paid.map(({ run, count }) => [run, count]));
  return [...Map.groupBy(steps, ({ run }) => run)].flatMap(([run, own]) => {
    const count = counts.get(run) ?? 0;
    const replies = own.filter(({ result }) => outcome.parse(result).ok).length;
    // A call that failed after it began, such as one with too many events, is in the usage as interrupted.
    if (count >= replies && count <= own.length) return [];
    return [`${run} has ${replies} recorded replies of ${own.length} calls, and ${count} usage records`];
  });
}
