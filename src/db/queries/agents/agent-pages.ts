import type { PageLimits, PageRecord } from "#domain/agents/agent-page.ts";
import type { Database, Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";
import { LAST_ID, pageOf, pageValues } from "../row-pages.ts";
import type { PageRequest, RowPage } from "../row-pages.ts";

const INSERT = statement({
  name: "insert-agent-page",
  text: `
    insert into agent_pages (id, workspace_id, agent_id, slug, is_on, title, greeting, prompts, takes_files, origins,
      code_hash, limits, created_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
});

/** The fields of a page that a person sets, as they are stored. */
export interface StoredPage {
  readonly slug: string;
  readonly is_on: boolean;
  readonly title: string;
  readonly greeting: string;
  readonly prompts: readonly string[];
  readonly takes_files: boolean;
  readonly origins: readonly string[];
  readonly limits: PageLimits;
}

/** A page to store. */
export interface NewPage extends StoredPage {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly codeHash: string | null;
  readonly createdBy: string;
}

/** Stores a page. */
export async function insertPage(tx: Transaction, page: NewPage): Promise<void> {
  await tx.query(INSERT, [page.id, page.workspaceId, page.agentId, ...valuesOf(page, page.codeHash), page.createdBy]);
}

function valuesOf(page: StoredPage, codeHash: string | null): readonly unknown[] {
  const { slug, is_on: isOn, title, greeting, prompts, takes_files: files, origins, limits } = page;
  return [slug, isOn, title, greeting, prompts, files, origins, codeHash, JSON.stringify(limits)];
}

const BUDGET = (period: string) => `(
      select json_build_object('max_usd', trim_scale(b.max_usd), 'used_usd', trim_scale(coalesce(w.used_usd, 0)))
      from budgets b left join budget_windows w on w.budget_id = b.id and w.key = budget_window(b.period, null, null)
      where b.target_id = p.id and b.period = '${period}' and b.max_usd is not null) as budget_${period}`;

const RECORD = `
    select p.id, p.workspace_id, p.agent_id, a.name as agent_name, p.slug, p.is_on, p.title, p.greeting, p.prompts,
      p.takes_files, p.origins, p.has_code, p.limits, ${BUDGET("day")}, ${BUDGET("month")},
      p.created_by, iso(p.created_at) as created_at, iso(p.updated_at) as updated_at
    from agent_pages p join agents a on a.id = p.agent_id`;

const READ = statement({ name: "read-agent-page", text: `${RECORD} where p.id = $1` });

/** Reads a page with what its budgets have used; undefined when the workspace has none with this id. */
export async function readPage(on: Transaction | WorkspaceDatabase, id: string): Promise<PageRecord | undefined> {
  return (await on.query<PageRecord>(READ, [id]))[0];
}

const LIST = statement({
  name: "list-agent-pages",
  text: `${RECORD}
    where p.workspace_id = $1 and ($2::timestamptz is null or (p.created_at, p.id) < ($2, coalesce($3, ${LAST_ID})))
      and ($5::uuid is null or p.agent_id = $5)
    order by p.created_at desc, p.id desc limit $4::integer + 1`,
});

/** Lists the pages of a workspace, or that of one agent, newest first. */
export async function listPages(
  db: WorkspaceDatabase,
  page: PageRequest & { readonly agentId: string | undefined },
): Promise<RowPage<PageRecord>> {
  const rows = await db.query<PageRecord>(LIST, [db.who.workspaceId, ...pageValues(page), page.agentId ?? null]);
  return pageOf(rows, page.limit, ({ id }) => id);
}

const LOCK = statement({
  name: "lock-agent-page",
  text: `
    select slug, is_on, title, greeting, prompts, takes_files, origins, limits, agent_id as "agentId"
    from agent_pages where id = $1 for update`,
});

/** Reads what a person set, and locks the page until the transaction ends. */
export async function lockPage(
  tx: Transaction,
  id: string,
): Promise<(StoredPage & { readonly agentId: string }) | undefined> {
  return (await tx.query<StoredPage & { readonly agentId: string }>(LOCK, [id]))[0];
}

const UPDATE = statement({
  name: "update-agent-page",
  text: `
    update agent_pages set slug = $2, is_on = $3, title = $4, greeting = $5, prompts = $6, takes_files = $7, origins = $8,
      limits = $9, updated_at = clock_timestamp()
    where id = $1`,
});

/** Writes what a person sets, but for the code. */
export async function updatePage(tx: Transaction, id: string, page: StoredPage): Promise<void> {
  const { slug, is_on: isOn, title, greeting, prompts, takes_files: files, origins, limits } = page;
  await tx.query(UPDATE, [id, slug, isOn, title, greeting, prompts, files, origins, JSON.stringify(limits)]);
}

const SET_CODE = statement({
  name: "set-agent-page-code",
  text: `update agent_pages set code_hash = $2 where id = $1`,
});

/** Sets or removes the code. */
export async function setPageCode(tx: Transaction, id: string, hash: string | null): Promise<void> {
  await tx.query(SET_CODE, [id, hash]);
}

const ROTATE = statement({
  name: "rotate-agent-page",
  text: `
    update agent_pages set generation = generation + 1, updated_at = clock_timestamp() where id = $1 returning id`,
});

/** Ends the tokens of all visitors; returns whether there is such a page. */
export async function rotatePage(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(ROTATE, [id])).length === 1;
}

const DELETE = statement({ name: "delete-agent-page", text: `delete from agent_pages where id = $1 returning id` });

/** Deletes a page with its budgets; returns whether there was one. */
export async function deletePage(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [id])).length === 1;
}

const FIND = statement({
  name: "find-agent-page",
  text: `
    select p.id, p.workspace_id as "workspaceId", p.agent_id as "agentId", p.is_on as "isOn", p.title, p.greeting,
      p.prompts, p.takes_files as "takesFiles", p.origins, p.code_hash as "codeHash", p.limits, p.generation,
      w.paused or w.held_at is not null or a.needs_review as "isPaused",
      exists (
        select from budgets b
        join budget_windows u on u.budget_id = b.id and u.key = budget_window(b.period, null, null)
        where b.target_id = p.id and u.used_usd >= b.max_usd + u.extra_usd
      ) as "isSpent"
    from agent_pages p
    join agents a on a.id = p.agent_id
    join workspaces w on w.id = p.workspace_id and w.deleted_at is null
    where p.slug = $1`,
});

/** A page, as a visitor's request finds it by its slug. */
export interface VisitedPage {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly isOn: boolean;
  readonly title: string;
  readonly greeting: string;
  readonly prompts: readonly string[];
  readonly takesFiles: boolean;
  readonly origins: readonly string[];
  readonly codeHash: string | null;
  readonly limits: PageLimits;
  readonly generation: number;
  /** Whether its agent may not start runs now. */
  readonly isPaused: boolean | null;
  /** Whether one of its budgets is used up. */
  readonly isSpent: boolean;
}

/** Finds a page before the workspace is known, on or off. */
export async function findPage(db: Database, slug: string): Promise<VisitedPage | undefined> {
  return (await db.query<VisitedPage>(FIND, [slug]))[0];
}
