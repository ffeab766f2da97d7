import { z } from "zod";
import type { ResourceName } from "#domain/resources/resource.ts";
import { listRecords } from "#db/queries/tasks/records.ts";
import type { Listable } from "#db/queries/tasks/records.ts";
import type { PageStart } from "#db/queries/row-pages.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Workspace } from "../workspace.ts";

/** What replaces a secret that stays as it is. Every schema of a secret accepts it. */
export const STORED_SECRET = "kept-as-it-is-in-the-workspace";

/** Fields by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** A record of the workspace as the API shows it. */
export interface StoredRecord {
  readonly id: string;
  readonly record: Fields;
}

/** Where the documents of a kind have a name, and the API has an id; `*` is any item or field. */
export interface Reference {
  readonly at: string;
  readonly to: ResourceName | "member";
}

/** A record to create or to change, before the transaction. */
export interface Step {
  /** Of a new record, where the kind lets callers choose it. */
  readonly id: string;
  readonly isNew: boolean;
  readonly input: StepInput;
  readonly signal: AbortSignal;
}

/** The fields that a step writes, as the API takes them. */
export interface StepInput {
  /** All of them. */
  readonly fields: Fields;
  /** Of an existing record, those that differ. */
  readonly changes: Fields;
}

/** What a step has written. */
export interface Written {
  readonly id: string;
  /** The token of a new trigger's URL. */
  readonly token?: string;
}

/** The rest of a step, in the transaction; the ids of other new records are known only there. */
export type Finish = (joined: Workspace, input: StepInput) => Promise<Written>;

/** A kind of resource: how its records are read, compared and written. Each is a file of `kinds`. */
export interface ResourceKind {
  readonly resource: ResourceName;
  /** The folder of its documents; "" for one at the root. */
  readonly folder: string;
  /** Its body of creation: validates documents once names have become ids. */
  readonly schema: z.ZodType<Fields>;
  /** The fields of a document, in order. */
  readonly fields: readonly string[];
  /** The values of fields that a document may omit. */
  readonly defaults: Fields;
  /** Where a document has names. */
  referencesIn(fields: Fields): readonly Reference[];
  /** Whether a record names one of a later kind, and is therefore written after the agents and teams. */
  namesLater(fields: Fields): boolean;
  /** The fields that no record can change once it exists. */
  readonly fixed: readonly string[];
  /** The fields of a document that are secret, as patterns like those of references. */
  secretsOf(workspace: Workspace, fields: Fields): readonly string[];
  /** Reads all records. */
  read(workspace: Workspace): Promise<readonly StoredRecord[]>;
  /** The fields of a record as a body of creation has them; a secret has any text but "". */
  fieldsOf(record: Fields): Fields;
  /** The values of further fields that a document may omit, which follow from its other fields. */
  usualIn(fields: Fields, workspace: Workspace): Fields;
  /** What a document, with names, is known by. */
  nameOf(document: Fields): string;
  /** What the deletion of a record takes with it. */
  notesOf(record: Fields): readonly string[];
  /** Reads the secrets of a record, by path. Only for admins. */
  openSecrets(workspace: Workspace, id: string): Promise<ReadonlyMap<string, string>>;
  /** Does the part of a step that needs no transaction. @throws AppError */
  begin(workspace: Workspace, step: Step): Promise<Finish>;
  /** Deletes records, all or none. */
  remove(workspace: Workspace, ids: readonly string[]): Promise<void>;
}

const NONE: ReadonlyMap<string, string> = new Map();

type Required = "resource" | "folder" | "begin" | "remove";

/** Defines a kind from what differs from the usual: named records of a list, whose schema is an object. */
export function defineResourceKind({
  schema,
  listed,
  omit = [],
  references = [],
  defaults = {},
  ...kind
}: Pick<ResourceKind, Required> &
  Partial<Omit<ResourceKind, "schema">> & {
    readonly schema: z.ZodObject;
    readonly listed: Listable;
    /** The fields of the schema that documents do not have. */
    readonly omit?: readonly string[];
    readonly references?: readonly Reference[];
  }): ResourceKind {
  const fields = namedFirst(Object.keys(schema.shape).filter((field) => !omit.includes(field)));
  return {
    schema,
    fields,
    defaults: { ...defaultsOf(schema), ...defaults },
    referencesIn: () => references,
    usualIn: () => ({}),
    namesLater: () => false,
    fixed: [],
    secretsOf: () => [],
    read: (workspace) => readAll(workspace, listed),
    fieldsOf: (record) => pick(record, fields),
    nameOf: ownName,
    notesOf: () => [],
    openSecrets: () => Promise.resolve(NONE),
    ...kind,
  };
}

/** Returns the name of a document; "" for one without. */
export function ownName({ name }: Fields): string {
  return typeof name === "string" ? name : "";
}

/** Returns a `remove` for a kind whose records are deleted one by one. */
export function oneByOne(remove: (workspace: Workspace, id: string) => Promise<void>): ResourceKind["remove"] {
  return async (workspace, ids) => {
    for (const id of ids) await remove(workspace, id);
  };
}

/** Returns a `begin` for a kind whose steps need nothing outside the transaction. */
export function written<Create extends z.ZodType<Fields>, Patch extends z.ZodType<Fields>>({
  create,
  patch,
  add,
  change,
}: {
  readonly create: Create;
  readonly patch: Patch;
  readonly add: (workspace: Workspace, fields: z.output<Create>, id: string) => Promise<JsonText | Written>;
  readonly change: (workspace: Workspace, id: string, patch: z.output<Patch>) => Promise<unknown>;
}): ResourceKind["begin"] {
  return (_, { id, isNew }) =>
    Promise.resolve(async (joined, input) => {
      if (!isNew) {
        await change(joined, id, patch.parse(input.changes));
        return { id };
      }
      const made = await add(joined, create.parse(input.fields), id);
      return typeof made === "string" ? { id: idOf(made) } : made;
    });
}

const identified = z.looseObject({ id: z.string() });

/** Returns the id of a record. */
export function idOf(record: JsonText): string {
  return identified.parse(JSON.parse(record)).id;
}

/** Returns these fields of a record, where it has them. */
export function pick(record: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (name in record ? [[name, record[name]]] : [])));
}

const PAGE = 200;

/** Reads all records of a list, the newest first. */
export async function readAll(workspace: Workspace, of: Listable): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  let after: PageStart | undefined;
  do {
    const { items, next } = await listRecords(workspace, { of, limit: PAGE, after });
    for (const record of z.array(identified).parse(JSON.parse(`[${items}]`))) found.push({ id: record.id, record });
    after = next ?? undefined;
  } while (after !== undefined);
  return found;
}

function namedFirst(fields: readonly string[]): readonly string[] {
  return [...fields.filter((field) => field === "name"), ...fields.filter((field) => field !== "name")];
}

function defaultsOf({ shape }: z.ZodObject): Fields {
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) =>
      field instanceof z.ZodDefault ? [[name, field.def.defaultValue]] : [],
    ),
  );
}
