import { newId } from "#lib/ids.ts";
import { inSharedTransaction } from "#operations/shared-transaction.ts";
import { countRows } from "./authenticate.ts";
import { isCsv, readRows } from "./body.ts";
import type { Row } from "./body.ts";
import { denied, TableError } from "./errors.ts";
import type { TableRequest } from "./request.ts";
import { checkSingle, respondChanged, respondDone } from "./respond.ts";
import { selectRows } from "./select-rows.ts";
import type { Table } from "./tables.ts";
import { changedFields } from "./writes/changed-fields.ts";
import { checkRow, checkWritable } from "./writes/check-row.ts";
import { WRITERS } from "./writes/index.ts";
import { duplicate, reportRejection } from "./writes/rejections.ts";
import type { WriteContext, Writer } from "./writes/writer.ts";

const ASSIGNED =
  'The service assigns ids: leave out "id" of a new row. With Prefer: resolution=… it names a row of your workspace.';

/** A row of a body, with the client's id or a generated one. */
interface NewRow {
  readonly id: string;
  readonly isNamed: boolean;
  readonly fields: Row;
}

/**
 * POST: inserts all rows of the body, or none. With `Prefer: resolution=…`, existing rows are changed or left
 * unchanged.
 */
export async function insertRows(request: TableRequest): Promise<Response> {
  const { c, table, workspace, query, prefer } = request;
  const writer = WRITERS.get(table.name);
  if (writer?.insert === undefined) throw denied(table.name);
  const contentType = c.req.header("Content-Type");
  checkConflictTarget(request);
  const body = readRows(table, await c.req.text(), { contentType, columns: query.columns, missing: prefer.missing });
  checkCount(request, body.length);
  const from = isCsv(contentType) ? "csv" : "json";
  const rows = body.map((row): NewRow => {
    const { id, ...fields } = checkRow(table, row, { who: workspace.who, from, as: "new" });
    return typeof id === "string" ? { id, isNamed: true, fields } : { id: newId(), isNamed: false, fields };
  });
  await countRows(workspace, rows.length);
  return write(request, rows, writer);
}

function write(request: TableRequest, rows: readonly NewRow[], writer: Writer): Promise<Response> {
  const { workspace, prefer, table } = request;
  return inSharedTransaction(workspace, async (joined, tx) => {
    const context = { workspace: joined, tx, timeoutMs: workspace.table.timeoutMs };
    const { written, made } = await writeRows(request, rows, { context, writer });
    const headers = { "Content-Range": `*/${prefer.count === undefined ? "*" : written.length}` };
    const status = prefer.resolution !== undefined && made === 0 ? 200 : 201;
    checkSingle(request, written.length);
    if (prefer.return === "representation") {
      return respondChanged(request, await selectRows(tx, request, written), { status, headers });
    }
    const [only] = written;
    const located = prefer.return === "headers-only" && written.length === 1;
    const location = { Location: `/rest/v1/${table.name}?id=eq.${only}` };
    return respondDone(request, { status, headers: { ...headers, ...(located && location) } });
  });
}

async function writeRows(
  request: TableRequest,
  rows: readonly NewRow[],
  { context, writer }: { readonly context: WriteContext; readonly writer: Writer },
): Promise<{ readonly written: readonly string[]; readonly made: number }> {
  const { table, prefer } = request;
  const there = rows.some(({ isNamed }) => isNamed) ? await lockExisting(request, rows, context) : new Set<string>();
  const written: string[] = [];
  let made = 0;
  for (const row of rows) {
    const { id, fields } = row;
    const exists = there.has(id);
    if (exists && prefer.resolution === undefined) throw duplicate(table.name, id);
    if (exists && prefer.resolution === "ignore-duplicates") continue;
    if (!exists) checkNew(table, row);
    const write = () => (exists ? merge(table, row, { context, writer }) : writer.insert?.(context, { ...fields, id }));
    await reportRejection(table.name, fields, async () => write());
    if (!exists) made += 1;
    written.push(id);
  }
  return { written, made };
}

/**
 * A new row cannot have a given id: the response must not reveal whether another workspace uses it. No query
 * distinguishes the two cases.
 */
function checkNew(table: Table, { isNamed, fields }: NewRow): void {
  if (isNamed) throw denied(table.name, ASSIGNED);
  checkWritable(table, fields, "new");
}

/** Changes the existing row with this id, only in the fields that differ. */
async function merge(
  table: Table,
  { id, fields }: NewRow,
  { context, writer }: { readonly context: WriteContext; readonly writer: Writer },
): Promise<void> {
  const changed = (await changedFields(context, table, { ids: [id], fields })).get(id) ?? {};
  checkWritable(table, changed, "change");
  if (Object.keys(changed).length > 0) await writer.update?.(context, id, changed);
}

async function lockExisting(
  { table }: TableRequest,
  rows: readonly NewRow[],
  { tx, timeoutMs }: WriteContext,
): Promise<Set<string>> {
  const text = `select id from public.${table.name} where id = any($1::uuid[]) order by id for update`;
  const found = await tx.queryOnce<{ id: string }>({ text, values: [rows.map(({ id }) => id)], timeoutMs });
  return new Set(found.map(({ id }) => id));
}

/** Rows conflict by their ids only. */
function checkConflictTarget({ query: { onConflict }, prefer }: TableRequest): void {
  if (prefer.resolution === undefined || onConflict === undefined) return;
  const others = onConflict.filter((name) => name !== "workspace_id");
  if (others.length === 1 && others[0] === "id") return;
  throw new TableError(400, "42P10", {
    message: "there is no unique or exclusion constraint matching the ON CONFLICT specification",
  });
}

function checkCount({ workspace: { table }, prefer }: TableRequest, rows: number): void {
  if (rows > table.maxRows) {
    throw new TableError(413, "PT413", { message: `A body has at most ${table.maxRows} rows.` });
  }
  if (prefer.maxAffected !== undefined && rows > prefer.maxAffected) {
    throw new TableError(400, "PGRST124", {
      message: "Query result exceeds max-affected preference constraint",
      details: `The query affects ${rows} rows`,
    });
  }
}
