import type { Transaction } from "#db/database.ts";
import { TableError } from "./errors.ts";
import type { ReadPlan } from "./plan/read.ts";
import type { TableRequest } from "./request.ts";
import { countSql, idsSql, readSql } from "./sql/read.ts";
import type { BuiltStatement } from "./sql/read.ts";
import { formatSize } from "#lib/text/format-size.ts";

/** Rows in the requested form. */
export interface Selection {
  readonly body: string;
  readonly length: number;
  /** The number of rows without limit and offset; null unless requested. */
  readonly total: number | null;
}

/** Longer responses are rejected: the process holds the whole response in memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The limit of `count=planned` and `count=estimated`. */
const MAX_ESTIMATE = 10_000;

/** Reads the rows of a request; `ids` narrows it to these rows, in their order, without limit and offset. */
export async function selectRows(tx: Transaction, request: TableRequest, ids?: readonly string[]): Promise<Selection> {
  const { prefer, accepted } = request;
  const plan =
    ids === undefined ? request.plan : { ...request.plan, where: [], range: { offset: 0, limit: undefined } };
  const reach = { ...reachOf(request), ids };
  const withTotal = ids === undefined && prefer.count === "exact";
  const statement = readSql(plan, {
    ...reach,
    form: accepted.form,
    escapesFormulas: prefer.escapesFormulas,
    withTotal,
    maxBytes: MAX_BYTES,
  });
  const [row] = await once<{ body: string | null; length: number; total: number | null }>(tx, request, statement);
  if (row === undefined) throw new Error("A read must return one row.");
  if (row.body === null) throw tooLong();
  const { body, length } = row;
  const bounded = ids === undefined && (prefer.count === "planned" || prefer.count === "estimated");
  return { body, length, total: bounded ? await countUpTo(tx, request, plan) : row.total };
}

/** Reads the ids of the rows to change, among these if given. @throws TableError PGRST124 for too many. */
export async function selectIds(tx: Transaction, request: TableRequest, among?: readonly string[]): Promise<string[]> {
  const { maxRows } = request.workspace.table;
  const statement = idsSql(request.plan, { ...reachOf(request), ids: among });
  const ids = (await once<{ id: string }>(tx, request, statement)).map(({ id }) => id);
  const { maxAffected = maxRows } = request.prefer;
  if (ids.length > Math.min(maxRows, maxAffected)) {
    throw new TableError(400, "PGRST124", {
      message: "Query result exceeds max-affected preference constraint",
      details: `The query affects more than ${Math.min(maxRows, maxAffected)} rows`,
    });
  }
  return ids;
}

/**
 * Counts the rows, up to about {@link MAX_ESTIMATE}. PostgreSQL's own estimate is never returned: its statistics cover
 * all workspaces and would reveal their values and volume.
 */
async function countUpTo(tx: Transaction, request: TableRequest, plan: ReadPlan): Promise<number> {
  const reach = reachOf(request);
  // The page itself is always counted, so that its range never exceeds the total.
  const stopAt = Math.max(MAX_ESTIMATE, plan.range.offset + reach.maxRows + 1);
  const [counted] = await once<{ total: number }>(tx, request, countSql(plan, { ...reach, stopAt }));
  return counted?.total ?? 0;
}

function reachOf({ workspace }: TableRequest) {
  return { workspaceId: workspace.who.workspaceId, maxRows: workspace.table.maxRows };
}

function once<Row extends Record<string, unknown>>(
  tx: Transaction,
  { workspace }: TableRequest,
  statement: BuiltStatement,
) {
  return tx.queryOnce<Row>({ ...statement, timeoutMs: workspace.table.timeoutMs });
}

function tooLong(): TableError {
  return new TableError(400, "54000", {
    message: `The response would be larger than ${formatSize(MAX_BYTES)}.`,
    hint: "Select fewer columns or fewer rows.",
  });
}
