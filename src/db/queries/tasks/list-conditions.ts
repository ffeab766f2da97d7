/** Which rows of a list are meant, by their fields; what is absent does not matter. */
export interface FieldFilters {
  /** Only what belongs to this knowledge base, task or team run. */
  readonly knowledgeBaseId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly runId?: string | undefined;
  /** A part of the name, in whatever case, or the beginning of the id. */
  readonly q?: string | undefined;
  readonly mode?: string | undefined;
  readonly status?: string | undefined;
  /** The status of an agent, which its tasks decide. */
  readonly agentStatus?: string | undefined;
  readonly tag?: string | undefined;
  /** The beginning of the media type, such as `image/`. */
  readonly type?: string | undefined;
  readonly direction?: string | undefined;
}

/** The first of these replaces the workspace: row security keeps its rows in it, and each column has an index. */
const SCOPES = { knowledgeBaseId: "k.knowledge_base_id", taskId: "k.task_id", runId: "k.run_id" } as const;
/** `$` is the value's placeholder. */
const CONDITIONS = {
  knowledgeBaseId: `${SCOPES.knowledgeBaseId} = $::uuid`,
  taskId: `${SCOPES.taskId} = $::uuid`,
  runId: `${SCOPES.runId} = $::uuid`,
  q: "(strpos(lower(k.name), lower($::text)) > 0 or starts_with(k.id::text, lower($::text)))",
  mode: "k.mode = $",
  status: "k.status = $",
  agentStatus: "exists (select from agent_records r where r.id = k.id and r.status = $::text)",
  tag: "$::text = any (k.tags)",
  type: "starts_with(k.type, $::text)",
  direction: "k.direction = $",
} as const;
const SCOPE_NAMES = ["knowledgeBaseId", "taskId", "runId"] as const;
const CONDITION_NAMES = ["q", "mode", "status", "agentStatus", "tag", "type", "direction"] as const;
/** The parameters of a list before the first condition: its scope, and where and how long the page is. */
const PARAMETERS_BEFORE = 4;

/** The `where` of a filtered list. */
export interface ListConditions {
  /** The indexed column that the list is read by, and its value. */
  readonly scope: { readonly column: string; readonly id: string };
  readonly conditions: readonly string[];
  readonly values: readonly string[];
  /** Tells the statement from those of other filters: `-by-q-mode`; empty without any. */
  readonly name: string;
}

/** Writes filters as SQL conditions on the table `k`, with their values from $5 on. */
export function conditionsOf(filters: FieldFilters, workspaceId: string): ListConditions {
  const [scope, ...scopes] = SCOPE_NAMES.flatMap((name) => entryOf(filters, name));
  const given = [...scopes, ...CONDITION_NAMES.flatMap((name) => entryOf(filters, name))];
  const names = [...(scope === undefined ? [] : [scope]), ...given].map(({ name }) => name);
  return {
    scope:
      scope === undefined
        ? { column: "k.workspace_id", id: workspaceId }
        : { column: SCOPES[scope.name], id: scope.value },
    conditions: given.map(({ name }, index) =>
      CONDITIONS[name].replaceAll("$", () => `$${PARAMETERS_BEFORE + 1 + index}`),
    ),
    values: given.map(({ value }) => value),
    name: names.length === 0 ? "" : `-by-${names.join("-")}`,
  };
}

function entryOf<Name extends keyof FieldFilters>(
  filters: FieldFilters,
  name: Name,
): readonly { readonly name: Name; readonly value: string }[] {
  const value = filters[name];
  return value === undefined ? [] : [{ name, value }];
}
