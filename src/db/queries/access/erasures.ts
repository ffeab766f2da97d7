import { KEPT } from "#domain/access/erasure.ts";
import type { Erasure, ErasureKind } from "#domain/access/erasure.ts";
import { newId } from "#lib/ids.ts";
import type { Queries, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";
import type { OperatorActor } from "./operated-workspaces.ts";

const BEGIN = statement({
  name: "begin-erasure",
  text: `
    insert into erasures (id, kind, subject_id, requested_by) values ($1, $2, $3, $4)
    on conflict (subject_id) do nothing returning id`,
});

/** What is erased, and by whom; undefined: by the operator at the machine. */
export interface NewErasure {
  readonly kind: ErasureKind;
  readonly subjectId: string;
  readonly actor: OperatorActor | undefined;
}

/** Opens the receipt of an erasure; false when there is one. */
export async function beginErasure(tx: Transaction, { kind, subjectId, actor }: NewErasure): Promise<boolean> {
  return (await tx.query(BEGIN, [newId(), kind, subjectId, actor?.userId ?? null])).length === 1;
}

const RECORD = `id, kind, subject_id, iso(requested_at) as requested_at, requested_by, iso(ended_at) as ended_at, removed`;

const READ = statement({
  name: "read-erasure",
  text: `select ${RECORD} from erasures where subject_id = $1 or id = $1`,
});
const LIST = statement({
  name: "list-erasures",
  text: `select ${RECORD} from erasures order by requested_at desc, id desc limit 200`,
});

type Row = Omit<Erasure, "kept">;

/** The receipt of a workspace or a person, or with this id of its own. */
export async function readErasure(db: Queries, id: string): Promise<Erasure | undefined> {
  const [row] = await db.query<Row>(READ, [id]);
  return row && shown(row);
}

const FIND = statement({
  name: "find-erasure",
  text: `
    select e.subject_id as id from erasures e
    left join workspaces w on w.id = e.subject_id left join users u on u.id = e.subject_id
    where e.kind = $1 and (w.slug = $2 or lower(u.email) = lower($2) or $2 in (e.subject_id::text, e.id::text))`,
});

/** The id of what is being or was erased, by its slug or address while that is known, by its id, or by its receipt's. */
export async function findErasure(db: Queries, kind: ErasureKind, given: string): Promise<string | undefined> {
  return (await db.query<{ id: string }>(FIND, [kind, given]))[0]?.id;
}

/** The last receipts, newest first. */
export async function listErasures(db: Queries): Promise<Erasure[]> {
  return (await db.query<Row>(LIST)).map(shown);
}

function shown(row: Row): Erasure {
  return { ...row, kept: [...KEPT[row.kind]] };
}

const OPEN_PEOPLE = statement({
  name: "open-person-erasures",
  text: `
    select u.id, lower(u.email) as email, u.name from erasures e join users u on u.id = e.subject_id
    where e.kind = 'person' and e.ended_at is null order by e.id`,
});

/** A person whose access has ended, but whose name and address are still there. */
export interface ErasedPerson {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
}

/** The people whose erasure has not ended. */
export function openPeople(db: Queries): Promise<ErasedPerson[]> {
  return db.query<ErasedPerson>(OPEN_PEOPLE);
}

const END_ACCESS = statement({ name: "erase-access", text: `select erase_access($1) is null as done` });
const ERASE_TEXTS = statement({ name: "erase-texts", text: `select erase_texts($1) is null as done` });

/** Ends all access of a person. */
export async function endAccess(tx: Transaction, userId: string): Promise<void> {
  await tx.query(END_ACCESS, [userId]);
}

/** Removes a person's name and address from what the service has written, and ends the erasure; once. */
export async function eraseTexts(db: Queries, userId: string): Promise<void> {
  await db.query(ERASE_TEXTS, [userId]);
}

const LOCK_PERSON = statement({
  name: "lock-person",
  text: `
    select u.id, u.email, exists (select from service_accounts s where s.id = u.id) as "isProgram" from users u
    where u.id = $1 for update of u`,
});

/** Locks an account until the transaction ends; undefined when there is none. */
export async function lockPerson(tx: Transaction, userId: string) {
  const [row] = await tx.query<{ id: string; email: string; isProgram: boolean | null }>(LOCK_PERSON, [userId]);
  return row;
}

const ONLY_OWNER = statement({
  name: "workspaces-with-one-owner",
  text: `
    select w.slug from members m join workspaces w on w.id = m.workspace_id and w.deleted_at is null
    where m.user_id = $1 and m.role = 'owner' and not exists (
      select from members o where o.workspace_id = m.workspace_id and o.user_id <> m.user_id and o.role = 'owner'
        and not exists (select from service_accounts s where s.id = o.user_id))
    order by w.slug`,
});

/** The slugs of the workspaces that have no other owner. */
export async function onlyOwnedBy(tx: Transaction, userId: string): Promise<string[]> {
  return (await tx.query<{ slug: string }>(ONLY_OWNER, [userId])).map(({ slug }) => slug);
}

const RECORD_PERSON = statement({
  name: "record-person-erased",
  text: `
    select write_audit(w.id, 'person.erased', 'person', $1, null, '{}') is null as written
    from workspaces w where w.deleted_at is null order by w.created_at, w.id limit 1`,
});

/** Records the erasure of a person in the audit log of the first workspace, without a name. */
export async function recordPersonErased(tx: Transaction, userId: string): Promise<void> {
  await tx.query(RECORD_PERSON, [userId]);
}

const OPEN_WORKSPACES = statement({
  name: "open-workspace-erasures",
  text: `
    select e.subject_id as id from erasures e
    where e.kind = 'workspace' and e.ended_at is null and not exists (select from workspaces w where w.id = e.subject_id)`,
});

/** The ids of erased workspaces without any row, whose erasure has not ended. */
export async function openWorkspaces(db: Queries): Promise<string[]> {
  return (await db.query<{ id: string }>(OPEN_WORKSPACES)).map(({ id }) => id);
}

const OF_WORKSPACE = `(key like 'files/' || $1 || '/%' or key like 'knowledge/' || $1 || '/%')`;

const HURRY = statement({
  name: "hurry-contents-of-workspace",
  text: `
    update unreferenced_blobs set delete_after = now()
    where ${OF_WORKSPACE} and delete_after > now() and not deleting`,
});
const END = statement({
  name: "end-workspace-erasure",
  text: `
    update erasures set ended_at = clock_timestamp()
    where subject_id = $1::uuid and ended_at is null and not exists (select from unreferenced_blobs where ${OF_WORKSPACE})`,
});

/** Makes the contents of an erased workspace due, also those of uploads that were in progress. */
export async function hurryContents(db: Queries, workspaceId: string): Promise<void> {
  await db.query(HURRY, [workspaceId]);
}

/** Ends an erasure, unless contents are left. */
export async function endWorkspaceErasure(db: Queries, workspaceId: string): Promise<void> {
  await db.query(END, [workspaceId]);
}

const ANSWERS = statement({
  name: "page-idempotent-answers",
  text: `
    select workspace_id as "workspaceId", key, body_ciphertext as "bodyCiphertext" from idempotent_answers
    where (workspace_id, key) > ($1::uuid, $2::text)
      and workspace_id = any(array(select unnest(workspaces) from erasures where subject_id = $3))
    order by workspace_id, key limit 500`,
});

/** A stored response, encrypted. */
export interface EncryptedAnswer {
  readonly workspaceId: string;
  readonly key: string;
  readonly bodyCiphertext: string;
}

/** A page of the stored responses in the workspaces of a person who is being erased, after a row. */
export function pageAnswers(
  db: Queries,
  { workspaceId, key }: Pick<EncryptedAnswer, "workspaceId" | "key">,
  userId: string,
): Promise<EncryptedAnswer[]> {
  return db.query<EncryptedAnswer>(ANSWERS, [workspaceId, key, userId]);
}

const DELETE_ANSWERS = statement({
  name: "delete-answers-of-person",
  text: `
    with gone as (
      delete from idempotent_answers a using json_to_recordset($2) as o("workspaceId" uuid, key text)
      where a.workspace_id = o."workspaceId" and a.key = o.key returning 1
    )
    select add_to_receipt($1, 'idempotent_answers', count(*)) is null as done from gone`,
});

/** Deletes stored responses that name a person who is being erased. */
export async function deleteAnswers(db: Queries, userId: string, answers: readonly EncryptedAnswer[]): Promise<void> {
  await db.query(DELETE_ANSWERS, [
    userId,
    JSON.stringify(answers.map(({ workspaceId, key }) => ({ workspaceId, key }))),
  ]);
}
