import { isDeepStrictEqual } from "node:util";
import type { FieldIssue } from "#domain/errors.ts";
import { issuesOf } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { RESOURCES } from "#domain/resources/resource.ts";
import type {
  ResourceChange,
  ResourceDocument,
  ResourceFieldChange,
  WantedResources,
} from "#domain/resources/resource.ts";
import { displayName } from "#domain/display-name.ts";
import { isUuid, newId } from "#lib/ids.ts";
import { nearest } from "#lib/text/nearest.ts";
import type { Workspace } from "../workspace.ts";
import { changedFields } from "./changed-fields.ts";
import { kindOf } from "./kinds.ts";
import { mapReferences, referredIn } from "./names.ts";
import type { Fields, ResourceKind } from "./resource-kind.ts";
import { fillSecrets } from "./secrets.ts";
import { comparable, compareTexts, rejectNamesakes, revisionOf } from "./state.ts";
import type { Known, WorkspaceState } from "./state.ts";

/** The first kind that names agents and teams, and is named by neither. */
const AFTER_AGENTS = "approvals";

/** What to compare with a workspace. */
export interface Wanted extends Omit<WantedResources, "format" | "version"> {
  /** Whether records without a document are deleted. */
  readonly prune: boolean;
  /** Whether a secret that does not exist yet must have a value. */
  readonly needsSecrets: boolean;
}

/** A record that a document describes. */
export interface Planned {
  readonly kind: ResourceKind;
  readonly document: number;
  readonly name: string;
  readonly id: string;
  readonly current: Known | undefined;
  /** As a body of creation has them, with ids. */
  readonly fields: Fields;
  /** Of an existing record, those that differ. */
  readonly changes: Fields;
  readonly shown: ResourceChange;
}

/** The differences between documents and a workspace. */
export interface Plan {
  readonly revision: string;
  /** Records to create or to change, in order. */
  readonly writes: readonly Planned[];
  /** Records without a document, in the order in which they can be deleted. */
  readonly extra: readonly { readonly known: Known; readonly shown: ResourceChange }[];
  readonly variables: readonly string[];
  /** What is wrong with the documents. */
  readonly issues: readonly FieldIssue[];
}

/** A document with the record that it describes, if there is one. */
interface Named {
  readonly kind: ResourceKind;
  readonly document: number;
  readonly given: Fields;
  readonly name: string;
  readonly id: string;
  readonly current: Known | undefined;
}

/** Compares documents with a workspace. @throws AppError `conflict` when records of a described kind share a name */
export async function planResources(workspace: Workspace, state: WorkspaceState, wanted: Wanted): Promise<Plan> {
  rejectNamesakes(state, wanted.resources);
  const issues: FieldIssue[] = [];
  const named = nameDocuments(state, wanted, issues);
  const described = new Set(named.map(({ id }) => id));
  const extra = state.known.filter(({ kind, id }) => wanted.resources.includes(kind.resource) && !described.has(id));
  const gone = new Set(wanted.prune ? extra.map(({ id }) => id) : []);
  const variables = new Set<string>();
  const writes: Planned[] = [];
  for (const each of named) {
    const planned = await planDocument(workspace, { each, state, wanted, gone });
    for (const variable of planned.variables) variables.add(variable);
    issues.push(...planned.issues);
    if (planned.write !== undefined) writes.push(planned.write);
  }
  return {
    revision: revisionOf(state, wanted.resources),
    writes: writes.toSorted(inOrder),
    extra: extra.toReversed().map((known) => ({ known, shown: deletionOf(known, state, { described, gone }) })),
    variables: [...variables].toSorted(compareTexts),
    issues,
  };
}

/** Finds the record of each document by its name, and names those that are new. */
function nameDocuments({ known, names }: WorkspaceState, { resources, documents }: Wanted, issues: FieldIssue[]) {
  const records = new Map(known.map((each) => [keyOf(each.kind, each.name), each]));
  const seen = new Map<string, number>();
  return documents.flatMap((given, document): Named[] => {
    const { kind, fields } = partsOf(given);
    if (!resources.includes(kind.resource)) {
      const message = `is ${kind.resource}, which is not among the resources of the description`;
      issues.push({ path: `documents.${document}.resource`, message });
      return [];
    }
    const name = tidy(kind.nameOf(fields));
    const key = keyOf(kind, name);
    const first = seen.get(key);
    // Its schema says that a document lacks a name.
    if (first !== undefined && name !== "") {
      const message = `has the name "${name}", which documents.${first} has already`;
      issues.push({ path: `documents.${document}.name`, message });
      return [];
    }
    seen.set(key, document);
    const current = records.get(key);
    const id = current?.id ?? newId();
    names.add(kind.resource, name, id);
    return [{ kind, document, given: fields, name, id, current }];
  });
}

async function planDocument(
  workspace: Workspace,
  {
    each,
    state,
    wanted,
    gone,
  }: {
    readonly each: Named;
    readonly state: WorkspaceState;
    readonly wanted: Wanted;
    readonly gone: ReadonlySet<string>;
  },
) {
  const { kind, document, current } = each;
  const secrets = await fillSecrets(workspace, {
    kind,
    fields: each.given,
    current,
    given: { values: wanted.variables, areNeeded: wanted.needsSecrets },
  });
  const found = resolve(kind, secrets.fields, { state, gone });
  const parsed = kind.schema.safeParse(found.fields, { error: plainMessage });
  const issues = [...secrets.issues, ...found.issues, ...(parsed.success ? [] : issuesOf(parsed.error))];
  const fields = comparable(workspace, kind, found.fields);
  const changes = current === undefined ? {} : changesOf(kind, current.fields, fields);
  const stuck = kind.fixed.filter((field) => field in changes);
  for (const path of stuck) {
    issues.push({ path, message: "cannot be changed: give the document another name, for a new record" });
  }
  const { variables } = secrets;
  const under = issues.map(({ path, message }) => ({ path: pathUnder(document, path), message }));
  if (under.length > 0 || (current !== undefined && Object.keys(changes).length === 0)) {
    return { issues: under, variables, write: undefined };
  }
  const shown: ResourceChange = {
    action: current === undefined ? "create" : "update",
    resource: kind.resource,
    name: each.name,
    id: current?.id ?? null,
    document,
    fields: current === undefined ? [] : shownChanges(current, changes, { state, secrets: secrets.changed }),
    notes: versionNote(current),
    token: null,
  };
  return { issues: under, variables, write: { ...each, fields, changes, shown } };
}

/** Replaces names by ids. */
function resolve(
  kind: ResourceKind,
  given: Fields,
  { state: { names }, gone }: { readonly state: WorkspaceState; readonly gone: ReadonlySet<string> },
) {
  const issues: FieldIssue[] = [];
  const fields = mapReferences(kind, given, (name, to, path) => {
    const ids = names.idsOf(to, tidy(name));
    const [id = name] = ids;
    const what = to.replaceAll("_", " ");
    if (ids.length > 1) {
      issues.push({ path, message: `is ambiguous: several of kind ${what} are named "${name}" (${ids.join(", ")})` });
    } else if (gone.has(id)) {
      issues.push({ path, message: `names the ${what} "${name}", which has no document and would be deleted` });
    } else if (ids.length === 0 && to !== "member" && !isUuid(name)) {
      const near = nearest(name, names.namesOf(to));
      const meant = near === undefined ? "" : `. Did you mean "${near}"?`;
      issues.push({ path, message: `names no ${what}: "${name}" is neither in the workspace nor described${meant}` });
      return newId();
    }
    return id;
  });
  return { fields, issues };
}

function changesOf(kind: ResourceKind, before: Fields, after: Fields): Fields {
  const differing = kind.fields.filter(
    // What only the service can say stays, such as the provider of a model that the catalogue does not know.
    (field) => !isDeepStrictEqual(before[field] ?? null, after[field] ?? null) && !isUnsaid(after, field),
  );
  return Object.fromEntries(differing.map((field) => [field, after[field] ?? null]));
}

function isUnsaid(fields: Fields, field: string): boolean {
  return field === "provider" && fields[field] === undefined;
}

function shownChanges(
  { kind, fields }: Known,
  changes: Fields,
  { state, secrets }: { readonly state: WorkspaceState; readonly secrets: ReadonlySet<string> },
): ResourceFieldChange[] {
  const before = state.names.withNames(kind, fields);
  const after = state.names.withNames(kind, { ...fields, ...changes });
  return Object.keys(changes).flatMap((field) =>
    changedFields(before[field], after[field], field).map((change) =>
      secrets.has(change.path)
        ? { path: change.path, before: null, after: null, is_secret: true }
        : { ...change, is_secret: false },
    ),
  );
}

function versionNote(current: Known | undefined): string[] {
  const version = current?.record["version"];
  return typeof version === "number" ? [`version ${version + 1}`] : [];
}

function deletionOf(
  known: Known,
  state: WorkspaceState,
  { described, gone }: { readonly described: ReadonlySet<string>; readonly gone: ReadonlySet<string> },
): ResourceChange {
  const users = state.known.filter(
    ({ id, kind, fields }) =>
      !described.has(id) && !gone.has(id) && id !== known.id && referredIn(kind, fields).includes(known.id),
  );
  const used = users.map(({ kind, name }) => `${kind.resource.replaceAll("_", " ")} ${name}`);
  return {
    action: "delete",
    resource: known.kind.resource,
    name: known.name,
    id: known.id,
    document: null,
    fields: [],
    notes: [...(used.length > 0 ? [`used by ${used.join(", ")}`] : []), ...known.kind.notesOf(known.record)],
    token: null,
  };
}

function partsOf({ resource, ...fields }: ResourceDocument) {
  return { kind: kindOf(resource), fields };
}

const tidyName = displayName(1_000);

/** Returns a name as records have it. */
function tidy(name: string): string {
  return tidyName.safeParse(name).data ?? name;
}

function keyOf({ resource }: ResourceKind, name: string): string {
  return `${resource} ${name}`;
}

function pathUnder(document: number, path: string): string {
  return path === "" ? `documents.${document}` : `documents.${document}.${path}`;
}

function inOrder(a: Planned, b: Planned): number {
  return rankOf(a) - rankOf(b) || compareTexts(a.name, b.name);
}

/** The position of a record's kind in the order of writing. */
function rankOf({ kind, fields }: Planned): number {
  return RESOURCES.indexOf(kind.namesLater(fields) ? AFTER_AGENTS : kind.resource);
}
