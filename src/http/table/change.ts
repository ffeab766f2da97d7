import type { Transaction } from "#db/database.ts";
import { inSharedTransaction } from "#operations/shared-transaction.ts";
import { countRows } from "./authenticate.ts";
import { isCsv, readRows } from "./body.ts";
import type { Row } from "./body.ts";
import { badBody, denied, TableError } from "./errors.ts";
import type { TableRequest } from "./request.ts";
import { checkSingle, respondChanged, respondDone } from "./respond.ts";
import type { Table } from "./tables.ts";
import { selectIds, selectRows } from "./select-rows.ts";
import { changedFields } from "./writes/changed-fields.ts";
import { checkRow, checkWritable } from "./writes/check-row.ts";
import { WRITERS } from "./writes/index.ts";
import { reportRejection } from "./writes/rejections.ts";
import type { WriteContext, Writer } from "./writes/writer.ts";

/** PATCH: changes all rows that match the filters, or none. */
export async function updateRows(request: TableRequest): Promise<Response> {
  const { workspace, table, prefer } = request;
  const patch = await readPatch(request);
  const writer = WRITERS.get(table.name);
  if (writer?.update === undefined) throw denied(table.name);
  checkHasFilter(request, "UPDATE");
  const { update } = writer;
  return inSharedTransaction(workspace, async (joined, tx) => {
    const ids = await lockRows(tx, request);
    const changes = Object.keys(patch).length > 0;
    checkSingle(request, changes ? ids.length : 0);
    const context = { workspace: joined, tx, timeoutMs: workspace.table.timeoutMs };
    if (changes) await countRows(workspace, ids.length);
    if (changes) await updateEach(table, { context, update }, { ids, patch });
    const headers = { "Content-Range": contentRange(changes ? ids.length : 0, request) };
    if (prefer.return !== "representation") return respondDone(request, { status: 204, headers });
    const rows = await selectRows(tx, request, changes ? ids : []);
    return respondChanged(request, rows, { status: 200, headers });
  });
}

async function updateEach(
  table: Table,
  { context, update }: { readonly context: WriteContext; readonly update: NonNullable<Writer["update"]> },
  { ids, patch }: { readonly ids: readonly string[]; readonly patch: Row },
): Promise<void> {
  const changed = await reportRejection(table.name, patch, () => changedFields(context, table, { ids, fields: patch }));
  for (const id of ids) {
    const fields = changed.get(id) ?? {};
    checkWritable(table, fields, "change");
    if (Object.keys(fields).length > 0) await reportRejection(table.name, fields, () => update(context, id, fields));
  }
}

/** DELETE: deletes all rows that match the filters, or none. */
export async function deleteRows(request: TableRequest): Promise<Response> {
  const { workspace, table, prefer } = request;
  const writer = WRITERS.get(table.name);
  if (writer?.remove === undefined) throw denied(table.name);
  checkHasFilter(request, "DELETE");
  const { remove } = writer;
  return inSharedTransaction(workspace, async (joined, tx) => {
    // Rows that no operation changes cannot be locked either.
    const ids = await (writer.update === undefined ? selectIds(tx, request) : lockRows(tx, request));
    checkSingle(request, ids.length);
    const rows = prefer.return === "representation" ? await selectRows(tx, request, ids) : undefined;
    const context = { workspace: joined, tx, timeoutMs: workspace.table.timeoutMs };
    if (ids.length > 0) await reportRejection(table.name, {}, () => remove(context, ids));
    const headers = { "Content-Range": `*/${prefer.count === undefined ? "*" : ids.length}` };
    if (rows === undefined) return respondDone(request, { status: 204, headers });
    return respondChanged(request, rows, { status: 200, headers });
  });
}

/** Protects all rows of a table from a forgotten filter, as Supabase does by pg-safeupdate. */
function checkHasFilter({ plan }: TableRequest, statement: "UPDATE" | "DELETE"): void {
  if (plan.where.length > 0) return;
  throw new TableError(400, "21000", {
    message: `${statement} requires a WHERE clause`,
    hint: "Name the rows by a filter, such as id=eq.<uuid>. id=not.is.null means all rows; a limit is not a filter.",
  });
}

async function readPatch({ c, table, workspace, query, prefer }: TableRequest): Promise<Row> {
  const contentType = c.req.header("Content-Type");
  const rows = readRows(table, await c.req.text(), { contentType, columns: query.columns, missing: prefer.missing });
  if (rows.length > 1) throw badBody("Empty or invalid json", "A change has one object.");
  return checkRow(table, rows[0] ?? {}, {
    who: workspace.who,
    from: isCsv(contentType) ? "csv" : "json",
    as: "change",
  });
}

/**
 * Finds and locks the rows that match the filters. Checks again after the lock: a row that no longer matches is not
 * changed.
 */
async function lockRows(tx: Transaction, request: TableRequest): Promise<readonly string[]> {
  const ids = await selectIds(tx, request);
  if (ids.length === 0) return [];
  const text = `select id from public.${request.table.name} where id = any($1::uuid[]) order by id for update`;
  await tx.queryOnce({ text, values: [ids], timeoutMs: request.workspace.table.timeoutMs });
  const { plan } = request;
  const same = { ...request, plan: { ...plan, range: { offset: 0, limit: undefined } } };
  return selectIds(tx, same, ids);
}

function contentRange(changed: number, { prefer }: TableRequest): string {
  const range = changed === 0 ? "*" : `0-${changed - 1}`;
  return `${range}/${prefer.count === undefined ? "*" : changed}`;
}
