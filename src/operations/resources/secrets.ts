import { VARIABLE } from "#domain/resources/resource.ts";
import type { FieldIssue } from "#domain/errors.ts";
import type { Workspace } from "../workspace.ts";
import { mapTexts } from "./references.ts";
import { STORED_SECRET } from "./resource-kind.ts";
import type { Fields, ResourceKind } from "./resource-kind.ts";
import type { Known } from "./state.ts";

/** The values of variables, and what a secret without one is. */
export interface GivenVariables {
  readonly values: Readonly<Record<string, string>>;
  /** Whether a secret that does not exist yet must have one. */
  readonly areNeeded: boolean;
}

/** Fields with their secrets. */
export interface FilledSecrets {
  readonly fields: Fields;
  /** The paths of secrets that differ from those stored. */
  readonly changed: ReadonlySet<string>;
  readonly variables: readonly string[];
  readonly issues: readonly FieldIssue[];
}

/**
 * Fills the secrets of a document: with the values of their variables where they differ from the stored ones, and with
 * {@link STORED_SECRET} for those that stay.
 */
export async function fillSecrets(
  workspace: Workspace,
  { kind, fields, current, given }: Filling,
): Promise<FilledSecrets> {
  const issues: FieldIssue[] = [];
  const changed = new Set<string>();
  const variables: string[] = [];
  const places = kind.secretsOf(workspace, fields).map((at) => ({ at }));
  const named = namesIn(fields, places);
  const canCompare = current !== undefined && named.some((name) => given.values[name] !== undefined);
  const stored = canCompare ? await kind.openSecrets(workspace, current.id) : new Map<string, string>();
  const kept = current === undefined ? new Set<string>() : keptIn(current, places);

  const filled = mapTexts(fields, places, (text, path) => {
    const names = variablesOf(text);
    variables.push(...names);
    if (names.length === 0) {
      issues.push({ path, message: "must name a variable, such as ${TOKEN}: no secret belongs in a file" });
      return STORED_SECRET;
    }
    const unset = names.filter((name) => given.values[name] === undefined);
    if (unset.length === 0) {
      const value = text.replaceAll(VARIABLE, (_, name: string) => given.values[name] ?? "");
      if (stored.get(path) === value) return STORED_SECRET;
      changed.add(path);
      return value;
    }
    if (given.areNeeded && !kept.has(path)) {
      issues.push({ path, message: `needs a value: ${unset.join(" and ")} is not set, and no secret is stored yet` });
    }
    return STORED_SECRET;
  });
  return { fields: { ...fields, ...(typeof filled === "object" && filled) }, changed, variables, issues };
}

interface Filling {
  readonly kind: ResourceKind;
  /** Of a document. */
  readonly fields: Fields;
  readonly current: Known | undefined;
  readonly given: GivenVariables;
}

/** Returns changes in which secrets that stay are as the API shows them, masked, by which it keeps them. */
export function maskKept(changes: Fields, shown: Fields): Fields {
  const masked = mapTexts(changes, [{ at: "headers.*" }, { at: "config.*" }], (text, path) => {
    const [field = "", name = ""] = path.split(/\.(.*)/s);
    const before = shown[field];
    const mask = typeof before === "object" && before !== null ? new Map(Object.entries(before)).get(name) : undefined;
    return text === STORED_SECRET && typeof mask === "string" ? mask : text;
  });
  return { ...changes, ...(typeof masked === "object" && masked) };
}

function namesIn(fields: Fields, places: readonly { readonly at: string }[]): readonly string[] {
  const names: string[] = [];
  mapTexts(fields, places, (text) => {
    names.push(...variablesOf(text));
    return text;
  });
  return names;
}

/** The paths of the secrets that a record has. */
function keptIn({ fields }: Known, places: readonly { readonly at: string }[]): ReadonlySet<string> {
  const paths = new Set<string>();
  mapTexts(fields, places, (text, path) => {
    paths.add(path);
    return text;
  });
  return paths;
}

function variablesOf(text: string): readonly string[] {
  return Array.from(text.matchAll(VARIABLE), ([, name = ""]) => name);
}
