import { diffLines } from "diff";
import type { Schemas } from "#client/index.ts";
import type { Output } from "../terminal/output.ts";
import { oneLine, safeText } from "../terminal/safe-text.ts";
import type { Style } from "../terminal/style.ts";
import type { Folder } from "./read-folder.ts";

type Change = Schemas["ResourceChange"];
type FieldChange = Change["fields"][number];

const SIGNS = { create: ["+", "green"], update: ["~", "yellow"], delete: ["-", "red"] } as const;
const VERBS = { create: "create", update: "change", delete: "delete" } as const;
const DONE = { create: "created", update: "changed", delete: "deleted" } as const;
const MAX_VALUE = 80;

/** Returns a plan for programs: each change names its file, in place of the position of its document. */
export function planWithFiles(plan: Schemas["ResourcesPlan"], { files }: Folder): object {
  const named = ({ document, ...change }: Change) => ({
    ...change,
    file: document === null ? null : (files[document]?.file ?? null),
  });
  return { ...plan, changes: plan.changes.map(named), extra: plan.extra.map(named) };
}

/** Prints the changes of a plan as a person would write them down, and how many there are. */
export function printPlan(out: Output, plan: Schemas["ResourcesPlan"], folder: Folder): void {
  for (const change of plan.changes) printChange(out, change, folder);
  if (plan.changes.length === 0) out.line(plan.extra.length === 0 ? "No differences." : "The files have no changes.");
  else out.line(`${summaryOf(plan.changes, plan.applied ? DONE : TO_DO)}.`);
  if (plan.extra.length === 0) return;
  out.line("Only in the workspace (apply --prune deletes them):");
  for (const { resource, name, notes } of plan.extra)
    out.line(`  ${safeText(`${kindName(resource)} ${name}${inBrackets(notes)}`)}`);
}

const TO_DO = { create: "to create", update: "to change", delete: "to delete" } as const;

/** Counts changes, as in `1 to create, 2 to change`. */
function summaryOf(changes: readonly Change[], words: Readonly<Record<Change["action"], string>>): string {
  const counts = Map.groupBy(changes, ({ action }) => action);
  return (["create", "update", "delete"] as const)
    .flatMap((action) => {
      const count = counts.get(action)?.length ?? 0;
      return count === 0 ? [] : [`${count} ${words[action]}`];
    })
    .join(", ");
}

function printChange(
  out: Output,
  { action, resource, name, document, fields, notes }: Change,
  { files }: Folder,
): void {
  const [sign, style] = SIGNS[action];
  const file = document === null ? "" : `  ${files[document]?.file ?? ""}`;
  const said = safeText(`${sign} ${VERBS[action]} ${kindName(resource)} ${name}${inBrackets(notes)}`);
  out.line(`${out.styled(style, said)}${out.styled("dim", safeText(file))}`);
  for (const field of fields) printField(out, field);
}

function printField(out: Output, { path, before, after, is_secret: isSecret }: FieldChange): void {
  if (isSecret) return out.line(`    ${safeText(path)}: another secret`);
  if (!isLong(before) && !isLong(after)) {
    return out.line(`    ${safeText(path)}: ${shown(before)} → ${shown(after)}`);
  }
  out.line(`    ${safeText(path)}:`);
  for (const { value, added, removed } of diffLines(textOf(before), textOf(after))) {
    if (!added && !removed) continue;
    const [sign, style]: readonly [string, Style] = added ? ["+", "green"] : ["-", "red"];
    for (const line of value.replace(/\n$/, "").split("\n")) {
      out.line(`      ${out.styled(style, safeText(`${sign} ${line}`))}`);
    }
  }
}

function isLong(value: unknown): boolean {
  return typeof value === "string" ? value.includes("\n") || value.length > MAX_VALUE : shown(value).length > MAX_VALUE;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return typeof value === "string"
    ? oneLine(value === "" ? '""' : value, MAX_VALUE * 2)
    : safeText(JSON.stringify(value));
}

function kindName(resource: string): string {
  return resource === "mcp_server" ? "MCP server" : resource.replaceAll("_", " ");
}

function inBrackets(notes: readonly string[]): string {
  return notes.length === 0 ? "" : ` (${notes.join("; ")})`;
}
