import type { components } from "#client/gen/schema.ts";
import { capitalized, listed, shortId } from "../../lib/format.ts";
import { eventLabel } from "../destinations/records.ts";

/** Who changed what. */
export type AuditEntry = components["schemas"]["AuditEntry"];

const KIND_LABELS = {
  agent: "agent",
  alert: "alert",
  budget: "budget",
  custom_tool: "tool",
  document: "document",
  golden_case: "golden case",
  golden_gate: "gate of the agent",
  google_account: "Google account",
  invitation: "invitation",
  key: "key",
  knowledge_base: "knowledge base",
  mcp_account: "account at an MCP server",
  mcp_server: "MCP server",
  mcp_tool: "tool of an MCP server",
  member: "member",
  page: "page",
  passkey: "passkey",
  person: "person",
  provider_key: "provider's key",
  push_config: "push notification",
  remote_agent: "remote agent",
  route: "destination",
  run: "run",
  schedule: "schedule",
  service_account: "service account",
  session: "session",
  team: "team",
  trello_channel: "Trello board",
  trigger: "trigger",
  webhook: "webhook",
  workspace: "workspace",
} as const satisfies Record<AuditEntry["subject"]["kind"], string>;

/** The label of a kind of record. */
export function kindLabel(kind: AuditEntry["subject"]["kind"]): string {
  return KIND_LABELS[kind];
}

/** What was done: `Changed the key`. */
export function actionLabel({ action, subject: { kind } }: AuditEntry): string {
  if (action === "question.answered") return "Answered a question of the run";
  if (action === "question.link_created") return "Created an answer link for the run";
  if (action === "run.link_created") return "Created a link to the run";
  if (action === "run.link_revoked") return "Revoked a link to the run";
  if (action === "session.created") return "Signed in";
  if (action === "session.rejected") return "Failed to sign in as";
  if (action === "agent.gate_overridden") return "Published without meeting the gate: the agent";
  if (action === "question.link_revoked") return "Revoked an answer link of the run";
  if (action === "key.expiring") return "Announced the end of the key";
  if (action === "key.leaked") return "Revoked the leaked key";
  if (action === "run.expired") return "Deleted old runs of the workspace";
  const [, verb = ""] = action.split(".");
  return `${capitalized(verb)} the ${KIND_LABELS[kind]}`;
}

/** A budget is called after what it applies to; only its scope is known when that was deleted with it. */
const BUDGET_NAMES: Readonly<Record<string, string>> = {
  workspace: "of the workspace",
  agent: "of a deleted agent",
  team: "of a deleted team",
  run: "of a run",
};

/** What things are called that the log names by an id: `provider openai`, `type http`. */
export type AuditNames = ReadonlyMap<string, string>;

/** The address of the owner whom the first start creates, until the set-up. */
const PLACEHOLDER_EMAIL = "owner@localhost.localdomain";

/** What the thing is called. */
export function subjectLabel({ subject: { kind, name } }: AuditEntry, names: AuditNames): string | null {
  if (name === PLACEHOLDER_EMAIL) return "owner, before the set-up";
  if (kind === "budget" && name !== null) return BUDGET_NAMES[name] ?? `of ${name}`;
  return (kind === "provider_key" ? names.get(`provider ${name}`) : undefined) ?? name;
}

const FIELD_LABELS: Readonly<Record<string, string>> = {
  answer_links: "answer links",
  approvals: "rules on approvals",
  assigned_agent_id: "agent",
  assigned_team_id: "team",
  run_links: "links to runs",
  base_url: "URL",
  billing_model: "billed",
  can_answer: "may answer questions",
  expires_at: "expires",
  is_a2a_published: "published over A2A",
  is_active: "active",
  is_marketplace: "in the marketplace",
  is_mcp_published: "published over MCP",
  kind: "for",
  log_url: "link to logs",
  max_tokens: "limit in tokens",
  max_usd: "limit in USD",
  needs_review: "needs a review",
  on_breach: "at the limit",
  system_prompt: "prompt",
  target_url: "URL",
  retention_tasks_days: "days to keep runs",
  trace_url: "link to traces",
};

/** The values of fields, by field. */
const VALUE_LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  billing_model: { "per-token": "per token", "subscription-quota": "by subscription" },
  kind: { envelope: "the API", table: "the table API", mcp: "MCP", a2a: "A2A", "ag-ui": "AG-UI" },
  on_breach: { stop: "end the run", ask: "ask a person" },
  period: { run: "each run", day: "a day", month: "a month", total: "in total" },
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Values of a new thing that are not worth a word. */
const SAYS_NOTHING: ReadonlySet<unknown> = new Set([null, undefined, false, ""]);

/** What became of its fields: `role: member to admin, name`. */
export function changeLabel({ action, changes, subject }: AuditEntry, names: AuditNames): string {
  if (action.endsWith(".deleted")) return "";
  return Object.entries(changes)
    .filter(([, values]) => !action.endsWith(".created") || isWorthSaying(values, subject.name))
    .map(([field, values]) => fieldLabel({ field, values, action, names }))
    .join(", ");
}

type Values = AuditEntry["changes"][string];

/** Of a new thing: its values but those that say nothing, and its name, which is said already. */
function isWorthSaying(values: Values, name: string | null): boolean {
  return values === null || (!saysNothing(values[1]) && values[1] !== name);
}

/** Lists and objects say nothing when none of their values does. */
function saysNothing(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(saysNothing);
  return SAYS_NOTHING.has(value);
}

function fieldLabel({
  field,
  values,
  action,
  names,
}: Pick<AuditEntry, "action"> & {
  readonly field: string;
  readonly values: Values;
  readonly names: AuditNames;
}): string {
  const label = FIELD_LABELS[field] ?? field.replaceAll("_", " ");
  if (values === null) return label;
  if (action.endsWith(".created") && values[1] === true) return label;
  const [before, after] = values.map((value) => valueLabel(field, value, names));
  if (before === "") return `${label}${action.endsWith(".created") ? "" : ":"} ${after}`;
  return `${label}: ${before} to ${after === "" ? "none" : after}`;
}

/** The values of an object: `effort high`. */
function objectLabel(value: object, names: AuditNames): string {
  return listed(
    Object.entries(value)
      .filter(([, each]) => !saysNothing(each))
      .map(([field, each]) => `${FIELD_LABELS[field] ?? field.replaceAll("_", " ")} ${valueLabel(field, each, names)}`),
  );
}

function valueLabel(field: string, value: unknown, names: AuditNames): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return listed(value.map((each) => valueLabel(field, each, names)));
  if (typeof value === "object") return objectLabel(value, names);
  if (typeof value !== "string") return JSON.stringify(value);
  if (UUID.test(value)) return shortId(value);
  return VALUE_LABELS[field]?.[value] ?? names.get(`${field} ${value}`) ?? eventLabel(value);
}
