import type { components } from "#client/schema.gen.ts";
import { capitalized } from "../../lib/format.ts";
import { eventLabel } from "../destinations/records.ts";

/** Who changed what. */
export type AuditEntry = components["schemas"]["AuditEntry"];

const KIND_LABELS = {
  agent: "agent",
  budget: "budget",
  invitation: "invitation",
  key: "key",
  member: "member",
  provider_key: "provider's key",
  route: "destination",
  run: "run",
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
  if (action === "question.link_created") return "Made an answer link for the run";
  if (action === "question.link_revoked") return "Revoked an answer link of the run";
  const [, verb = ""] = action.split(".");
  return `${capitalized(verb)} the ${KIND_LABELS[kind]}`;
}

/** A budget has no name of its own, but what it is of. */
const BUDGET_NAMES: Readonly<Record<string, string>> = {
  workspace: "of the workspace",
  agent: "of an agent",
  team: "of a team",
};

/** What the thing is called. */
export function subjectLabel({ subject: { kind, name } }: AuditEntry): string | null {
  return (kind === "budget" && name !== null ? BUDGET_NAMES[name] : undefined) ?? name;
}

const FIELD_LABELS: Readonly<Record<string, string>> = {
  answer_links: "answer links",
  is_a2a_published: "published over A2A",
  is_active: "active",
  is_marketplace: "in the marketplace",
  is_mcp_published: "published over MCP",
  max_tokens: "limit in tokens",
  max_usd: "limit in USD",
  on_breach: "at the limit",
  system_prompt: "prompt",
};

/** Values of a new thing that are not worth a word. */
const SAYS_NOTHING: ReadonlySet<unknown> = new Set([null, undefined, false, ""]);

/** What became of its fields: `role: member to admin, name`. */
export function changeLabel({ action, changes, subject }: AuditEntry): string {
  if (action.endsWith(".deleted")) return "";
  return Object.entries(changes)
    .filter(([, values]) => !action.endsWith(".created") || isWorthSaying(values, subject.name))
    .map(([field, values]) => fieldLabel(field, values, action))
    .join(", ");
}

type Values = AuditEntry["changes"][string];

/** Of a new thing: its values but those that say nothing, and its name, which is said already. */
function isWorthSaying(values: Values, name: string | null): boolean {
  return values === null || (!SAYS_NOTHING.has(values[1]) && values[1] !== name);
}

function fieldLabel(field: string, values: Values, action: string): string {
  const label = FIELD_LABELS[field] ?? field.replaceAll("_", " ");
  if (values === null) return label;
  if (action.endsWith(".created") && values[1] === true) return label;
  const [before, after] = values.map(valueLabel);
  if (before === "") return `${label}${action.endsWith(".created") ? "" : ":"} ${after}`;
  return `${label}: ${before} to ${after === "" ? "none" : after}`;
}

function valueLabel(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(valueLabel).join(" and ");
  return typeof value === "string" ? eventLabel(value) : JSON.stringify(value);
}
