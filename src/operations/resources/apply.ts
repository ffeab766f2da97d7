import { AppError } from "#domain/errors.ts";
import type { ErrorCode, FieldIssue } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { includesRole } from "#domain/access/role.ts";
import type { ResourceChange, ResourcesApply, ResourcesPlan, WantedResources } from "#domain/resources/resource.ts";
import { lockResources } from "#db/queries/resources/apply-lock.ts";
import { inSharedTransaction } from "../shared-transaction.ts";
import type { Workspace } from "../workspace.ts";
import { mapReferences } from "./names.ts";
import { planResources } from "./plan.ts";
import type { Plan, Planned } from "./plan.ts";
import type { Finish, StepInput } from "./resource-kind.ts";
import { maskKept } from "./secrets.ts";
import { readState, revisionOf } from "./state.ts";

/** What a record of a document can be rejected for; other errors are not of its making. */
const REJECTIONS: ReadonlySet<ErrorCode> = new Set([
  "bad_request",
  "conflict",
  "forbidden",
  "not_found",
  "quota_exceeded",
]);

/**
 * Compares documents with a workspace. Only an admin's variables are compared with secrets.
 * @throws AppError `bad_request` with the path of each mistake; `conflict` when records share a name
 */
export async function diffResources(workspace: Workspace, wanted: WantedResources): Promise<ResourcesPlan> {
  const variables = includesRole(workspace.who.role, "admin") ? wanted.variables : {};
  const plan = await planNow(workspace, { ...wanted, variables, prune: false, needsSecrets: false });
  return shownPlan(plan, { prune: false, applied: false });
}

/** The rest of an apply, in a transaction. */
export type FinishApply = (joined: Workspace) => Promise<ResourcesPlan>;

/**
 * Applies documents to a workspace: the part before the transaction, which asks MCP servers for their tools. The rest
 * changes everything or nothing.
 * @throws AppError `bad_request` with the path of each mistake; `conflict` when the workspace has changed since the
 * comparison, or is being changed by another apply
 */
export async function prepareApply(
  workspace: Workspace,
  { wanted, signal }: { readonly wanted: ResourcesApply; readonly signal: AbortSignal },
): Promise<FinishApply> {
  const { prune, dry_run: isDry } = wanted;
  const plan = await planNow(workspace, { ...wanted, needsSecrets: true });
  if (wanted.revision !== undefined && wanted.revision !== plan.revision) throw changed();
  const issues: FieldIssue[] = [];
  const begun: { readonly planned: Planned; readonly finish: Finish }[] = [];
  for (const planned of plan.writes) {
    const step = { id: planned.id, isNew: planned.current === undefined, input: inputOf(planned), signal };
    const finish = await collect(issues, planned, () => planned.kind.begin(workspace, step));
    if (finish !== undefined) begun.push({ planned, finish });
  }
  if (issues.length > 0) throw invalid("body", issues);

  async function apply(joined: Workspace): Promise<ResourcesPlan> {
    return inSharedTransaction(joined, async (inner, tx) => {
      if (!(await lockResources(tx, inner.who.workspaceId))) throw busy();
      if (revisionOf(await readState(inner, wanted.resources), wanted.resources) !== plan.revision) throw changed();
      const tokens = await writeAll(inner, begun);
      if (prune) await removeAll(inner, plan);
      const result = shownPlan(plan, { prune, applied: !isDry, tokens });
      if (isDry) throw new DryRun(result);
      return result;
    });
  }

  if (!isDry) return apply;
  const tried = await apply(workspace).catch((error: unknown) => {
    if (error instanceof DryRun) return error.result;
    throw error;
  });
  return () => Promise.resolve(tried);
}

/** Ends the transaction of a dry run. */
class DryRun extends Error {
  override readonly name = "DryRun";
  readonly result: ResourcesPlan;

  constructor(result: ResourcesPlan) {
    super("A dry run changes nothing.");
    this.result = result;
  }
}

async function planNow(workspace: Workspace, wanted: Parameters<typeof planResources>[2]): Promise<Plan> {
  const plan = await planResources(workspace, await readState(workspace, wanted.resources), wanted);
  if (plan.issues.length > 0) throw invalid("body", plan.issues);
  return plan;
}

/** Writes all records in order, and returns the tokens of new triggers by their ids. @throws AppError with all mistakes */
async function writeAll(
  workspace: Workspace,
  begun: readonly { readonly planned: Planned; readonly finish: Finish }[],
): Promise<ReadonlyMap<Planned, string>> {
  const tokens = new Map<Planned, string>();
  const ids = new Map<string, string>();
  const issues: FieldIssue[] = [];
  const rejected = new Set<string>();
  for (const { planned, finish } of begun) {
    const input = withIds(planned, ids);
    try {
      const found: FieldIssue[] = [];
      const written = await collect(found, planned, () => finish(workspace, input));
      issues.push(...withoutConsequences(found, planned, rejected));
      if (written === undefined) {
        if (planned.current === undefined) rejected.add(planned.id);
        continue;
      }
      ids.set(planned.id, written.id);
      if (written.token !== undefined) tokens.set(planned, written.token);
    } catch (error) {
      // After a rejection by the database, its transaction takes no further statement.
      if (issues.length > 0) break;
      throw error;
    }
  }
  if (issues.length > 0) throw invalid("body", issues);
  return tokens;
}

/** Deletes the records without a document, those first that name others. */
async function removeAll(workspace: Workspace, { extra }: Plan): Promise<void> {
  const kinds = Map.groupBy(extra, ({ known }) => known.kind);
  for (const [kind, records] of kinds) {
    await kind.remove(
      workspace,
      records.map(({ known }) => known.id),
    );
  }
}

/** Leaves out that a record names one that was rejected. */
function withoutConsequences(
  issues: readonly FieldIssue[],
  { kind, fields, document }: Planned,
  rejected: ReadonlySet<string>,
): readonly FieldIssue[] {
  const paths: string[] = [];
  mapReferences(kind, fields, (id, _, path) => {
    if (rejected.has(id)) paths.push(`documents.${document}.${path}.`);
    return id;
  });
  return issues.filter((issue) => !paths.some((path) => path.startsWith(`${issue.path}.`)));
}

function inputOf({ fields, changes, current }: Planned): StepInput {
  return { fields, changes: current === undefined ? changes : maskKept(changes, current.record) };
}

/** Kinds whose records get their ids only when they are written are named by them from then on. */
function withIds(planned: Planned, ids: ReadonlyMap<string, string>): StepInput {
  const input = inputOf(planned);
  const replace = (id: string) => ids.get(id) ?? id;
  const fields = mapReferences(planned.kind, input.fields, replace);
  const changes = Object.fromEntries(
    Object.entries(mapReferences(planned.kind, { ...input.fields, ...input.changes }, replace)).filter(
      ([name]) => name in input.changes,
    ),
  );
  return { fields, changes };
}

async function collect<T>(issues: FieldIssue[], { document }: Planned, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || !REJECTIONS.has(error.code)) throw error;
    const details = error.details ?? [{ path: "", message: error.message }];
    for (const { path, message } of details) {
      issues.push({ path: `documents.${document}${path === "" ? "" : `.${path}`}`, message });
    }
    return undefined;
  }
}

function shownPlan(
  { revision, writes, extra, variables }: Plan,
  {
    prune,
    applied,
    tokens,
  }: { readonly prune: boolean; readonly applied: boolean; readonly tokens?: ReadonlyMap<Planned, string> },
): ResourcesPlan {
  const written = writes.map((planned): ResourceChange => ({
    ...planned.shown,
    token: (applied ? tokens?.get(planned) : undefined) ?? null,
  }));
  const deleted = extra.map(({ shown }) => shown);
  return {
    revision,
    changes: [...written, ...(prune ? deleted : [])],
    extra: prune ? [] : deleted,
    variables: [...variables],
    applied,
  };
}

function busy(): AppError {
  return new AppError("conflict", "Another apply is changing this workspace. Try again when it has ended.");
}

function changed(): AppError {
  return new AppError(
    "conflict",
    "The workspace has changed since it was compared. Compare it again before you apply.",
  );
}
