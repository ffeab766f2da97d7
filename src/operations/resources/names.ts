import { CUSTOM_TOOL_PREFIX } from "#domain/tools/custom-tool.ts";
import { mapTexts } from "./references.ts";
import type { Fields, Reference, ResourceKind } from "./resource-kind.ts";

type Referred = Reference["to"];

/** The names of records and their ids, in both directions. */
export class Names {
  readonly #ids = new Map<string, string[]>();
  readonly #names = new Map<string, string>();

  /** Adds a record. */
  add(of: Referred, name: string, id: string): void {
    const key = keyOf(of, name);
    const ids = this.#ids.get(key) ?? [];
    if (!ids.includes(id)) this.#ids.set(key, [...ids, id]);
    this.#names.set(id, name);
  }

  /** The ids of the records of a name; more than one where names are not unique. */
  idsOf(of: Referred, name: string): readonly string[] {
    return this.#ids.get(keyOf(of, name)) ?? [];
  }

  /** All names of records of a kind. */
  namesOf(of: Referred): readonly string[] {
    const start = keyOf(of, "");
    return [...this.#ids.keys()].flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
  }

  /** Returns fields with names in place of ids; an id without a name stays. */
  withNames(kind: ResourceKind, fields: Fields): Fields {
    return mapReferences(kind, fields, (id) => this.#names.get(id) ?? id);
  }
}

/**
 * Returns fields in which what refers to a record is replaced: the id or the name, without the prefix of tools. What no
 * prefix marks as a custom tool stays.
 */
export function mapReferences(
  kind: ResourceKind,
  fields: Fields,
  replace: (given: string, to: Referred, path: string) => string,
): Fields {
  const references = kind.referencesIn(fields);
  const mapped = mapTexts(fields, references, (text, path, place) => {
    const to = references[place]?.to;
    if (to === undefined) return text;
    if (to !== "tool") return replace(text, to, path);
    if (!text.startsWith(CUSTOM_TOOL_PREFIX)) return text;
    return CUSTOM_TOOL_PREFIX + replace(text.slice(CUSTOM_TOOL_PREFIX.length), to, path);
  });
  return { ...fields, ...(typeof mapped === "object" && mapped) };
}

/** The ids to which fields refer. */
export function referredIn(kind: ResourceKind, fields: Fields): readonly string[] {
  const ids: string[] = [];
  mapReferences(kind, fields, (id) => {
    ids.push(id);
    return id;
  });
  return ids;
}

function keyOf(of: Referred, name: string): string {
  // People are found by their addresses in any case, as rules name them.
  return `${of} ${of === "member" ? name.toLowerCase() : name}`;
}
