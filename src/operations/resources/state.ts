import { createHash } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { DEFAULT_RESOURCES, MAX_DOCUMENTS } from "#domain/resources/resource.ts";
import type { ResourceName } from "#domain/resources/resource.ts";
import { listMembers } from "#db/queries/accounts/members.ts";
import type { PageStart } from "#db/queries/row-pages.ts";
import type { Workspace } from "../workspace.ts";
import { RESOURCE_KINDS } from "./kinds.ts";
import { Names } from "./names.ts";
import { mapTexts } from "./references.ts";
import { STORED_SECRET, pick } from "./resource-kind.ts";
import type { Fields, ResourceKind, StoredRecord } from "./resource-kind.ts";

const PEOPLE_PAGE = 500;

/** A record of the workspace. */
export interface Known extends StoredRecord {
  readonly kind: ResourceKind;
  readonly name: string;
  /** Its fields as a body of creation has them, with ids, complete; secrets are {@link STORED_SECRET}. */
  readonly fields: Fields;
}

/** The records of a workspace, by kind and name. */
export interface WorkspaceState {
  readonly known: readonly Known[];
  readonly names: Names;
}

/** Reads all records that documents describe or name. @throws AppError `conflict` for too many */
export async function readState(workspace: Workspace, resources: readonly ResourceName[]): Promise<WorkspaceState> {
  const names = new Names();
  await addPeople(workspace, names);
  const known: Known[] = [];
  // Nothing names golden sets, which are large.
  const needed = RESOURCE_KINDS.filter(
    ({ resource }) => resources.includes(resource) || DEFAULT_RESOURCES.includes(resource),
  );
  for (const kind of needed) {
    for (const { id, record } of await kind.read(workspace)) {
      const fields = comparable(workspace, kind, hideSecrets(workspace, kind, kind.fieldsOf(record)));
      const name = kind.nameOf(names.withNames(kind, fields));
      known.push({ kind, id, record, fields, name });
      names.add(kind.resource, name, id);
    }
  }
  if (known.length > MAX_DOCUMENTS) {
    const message = `The workspace has ${known.length} records that files would describe; the limit is ${MAX_DOCUMENTS}.`;
    throw new AppError("conflict", message);
  }
  return { known: known.toSorted(byName), names };
}

/** Returns fields as they are compared: as their schema leaves them, and complete. */
export function comparable(workspace: Workspace, kind: ResourceKind, given: Fields): Fields {
  const parsed = kind.schema.safeParse(given);
  // What is stored may be older than today's rules.
  if (!parsed.success) return pick(given, kind.fields);
  const { data } = parsed;
  const usual = Object.entries(kind.usualIn(data, workspace)).filter(([name]) => data[name] === undefined);
  return pick({ ...data, ...Object.fromEntries(usual) }, kind.fields);
}

/** Identifies the records of some kinds as they are. */
export function revisionOf({ known }: WorkspaceState, resources: readonly ResourceName[]): string {
  const of = known.filter(({ kind }) => resources.includes(kind.resource));
  const facts = of.map(({ kind, id, fields }) => [kind.resource, id, fields]);
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 32);
}

/** Rejects names that several records of these kinds have. @throws AppError `conflict` with their ids */
export function rejectNamesakes({ known }: WorkspaceState, resources: readonly ResourceName[]): void {
  const of = known.filter(({ kind }) => resources.includes(kind.resource));
  const groups = Map.groupBy(of, ({ kind, name }) => `${kind.resource} ${name}`);
  const shared = [...groups.values()].filter((group) => group.length > 1);
  const [first] = shared;
  const [one] = first ?? [];
  if (first === undefined || one === undefined) return;
  const ids = first.map(({ id }) => id).join(" and ");
  const rest = shared.length > 1 ? ` So do others: ${shared.length - 1} more names.` : "";
  throw new AppError(
    "conflict",
    `Files know records by their names, and several of kind ${one.kind.resource} are named "${one.name}": ${ids}. Rename one.${rest}`,
  );
}

/** Returns fields with {@link STORED_SECRET} for each secret. */
function hideSecrets(workspace: Workspace, kind: ResourceKind, fields: Fields): Fields {
  const places = kind.secretsOf(workspace, fields).map((at) => ({ at }));
  const hidden = mapTexts(fields, places, () => STORED_SECRET);
  return { ...fields, ...(typeof hidden === "object" && hidden) };
}

async function addPeople(workspace: Workspace, names: Names): Promise<void> {
  let after: PageStart | undefined;
  do {
    const { rows, next } = await listMembers(workspace, { limit: PEOPLE_PAGE, after, q: undefined });
    for (const { user_id: id, email } of rows) names.add("member", email, id);
    after = next ?? undefined;
  } while (after !== undefined);
}

function byName(a: Known, b: Known): number {
  const order = RESOURCE_KINDS.indexOf(a.kind) - RESOURCE_KINDS.indexOf(b.kind);
  return order === 0 ? compareTexts(a.name, b.name) || compareTexts(a.id, b.id) : order;
}

/** Orders texts by their code points, the same everywhere. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
