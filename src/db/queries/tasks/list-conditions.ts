/** The filters of a list; absent ones do not apply. */
export interface FieldFilters {
  /** Only records of this knowledge base, task or team run. */
  readonly knowledgeBaseId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly runId?: string | undefined;
  /** Part of the name, ignoring case, or the beginning of the id. */
  readonly q?: string | undefined;
  /** The same of a webhook subscription, whose name is its URL. */
  readonly url?: string | undefined;
  /** Of a schedule or a trigger. */
  readonly agentId?: string | undefined;
  readonly teamId?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly mode?: string | undefined;
  readonly status?: string | undefined;
  /** The status of an agent, derived from its tasks. */
  readonly agentStatus?: string | undefined;
  readonly tag?: string | undefined;
  /** The beginning of the media type, such as `image/`. */
  readonly type?: string | undefined;
  readonly direction?: string | undefined;
}

/** The first of these is used instead of the workspace: row security still applies, and each column has an index. */
const SCOPES = { knowledgeBaseId: "k.knowledge_base_id", taskId: "k.task_id", runId: "k.run_id" } as const;
/** `$` is replaced by the value's placeholder. */
const CONDITIONS = {
  knowledgeBaseId: `${SCOPES.knowledgeBaseId} = $::uuid`,
  taskId: `${SCOPES.taskId} = $::uuid`,
  runId: `${SCOPES.runId} = $::uuid`,
  q: "(strpos(lower(k.name), lower($::text)) > 0 or starts_with(k.id::text, lower($::text)))",
  url: "(strpos(lower(k.target_url), lower($::text)) > 0 or starts_with(k.id::text, lower($::text)))",
  agentId: "k.assigned_agent_id = $::uuid",
  teamId: "k.assigned_team_id = $::uuid",
  isActive: "k.is_active = $::boolean",
  mode: "k.mode = $",
  status: "k.status = $",
  agentStatus: "exists (select from agent_records r where r.id = k.id and r.status = $::text)",
  tag: "$::text = any (k.tags)",
  type: "starts_with(k.type, $::text)",
  direction: "k.direction = $",
} as const;
const SCOPE_NAMES = ["knowledgeBaseId", "taskId", "runId"] as const;
const CONDITION_NAMES = [
  "q",
  "url",
  "agentId",
  "teamId",
  "isActive",
  "mode",
  "status",
  "agentStatus",
  "tag",
  "type",
  "direction",
] as const;
/** The parameters of a list before its filters: its scope, and the page's position and size. */
const PARAMETERS_BEFORE = 4;

/** The `where` of a filtered list. */
export interface ListConditions {
  /** The indexed column that the list is read by, and its value. */
  readonly scope: { readonly column: string; readonly id: string };
  readonly conditions: readonly string[];
  readonly values: readonly (string | boolean)[];
  /** Distinguishes the statement from those with other filters: `-by-q-mode`; empty without filters. */
  readonly name: string;
}

/** Translates filters into SQL conditions on the table `k`, with their values from $5. */
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
): readonly { readonly name: Name; readonly value: NonNullable<FieldFilters[Name]> }[] {
  const value = filters[name];
  return value === undefined ? [] : [{ name, value }];
}
