import type { components } from "../../api/paths.gen.ts";

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
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} the ${KIND_LABELS[kind]}`;
}

/** Values of a new thing that are not worth a word. */
const SAYS_NOTHING: ReadonlySet<unknown> = new Set([null, undefined, false, ""]);

/** What became of its fields: `role: member to admin, name`. */
export function changeLabel({ action, changes }: AuditEntry): string {
  if (action.endsWith(".deleted")) return "";
  const isNew = action.endsWith(".created");
  return Object.entries(changes)
    .filter(([, values]) => !isNew || values === null || !SAYS_NOTHING.has(values[1]))
    .map(([field, values]) => {
      const name = field.replaceAll("_", " ");
      if (values === null) return name;
      const [before, after] = values.map(valueLabel);
      return before === ""
        ? `${name}${isNew ? "" : ":"} ${after}`
        : `${name}: ${before} to ${after === "" ? "none" : after}`;
    })
    .join(", ");
}

function valueLabel(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.join(" and ") : typeof value === "string" ? value : JSON.stringify(value);
}
