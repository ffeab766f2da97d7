import { TableError } from "../errors.ts";
import type { EmbedItem } from "../parse/select.ts";
import { FOREIGN_KEYS, JUNCTIONS } from "../foreign-keys.ts";
import type { ForeignKey } from "../foreign-keys.ts";
import { findTable } from "../tables.ts";
import type { Column, Table } from "../tables.ts";

/** The relation between the rows of two tables. */
export interface Relation {
  readonly table: Table;
  /** Whether a row matches at most one row, or several. */
  readonly finds: "one" | "many";
  /** The column of the embedding table, and the equal one of the embedded table. */
  readonly own: Column;
  readonly other: Column;
  /** The table whose rows connect the two when neither references the other. */
  readonly junction?: Junction;
}

/** A table with a reference to each of two others. */
export interface Junction {
  readonly table: Table;
  /** Its column equal to the embedding table's, and its column equal to the embedded table's. */
  readonly own: Column;
  readonly other: Column;
}

/**
 * Finds the relation of an embedding: by the other table, or by the column or the foreign key that references it; a
 * hint chooses between several.
 * @throws TableError PGRST200 when there is none, PGRST201 when there is more than one.
 */
export function findRelation(table: Table, { target, hint }: EmbedItem): Relation {
  const candidates = [
    ...FOREIGN_KEYS.flatMap((key) => [
      ...(key.table === table.name && [key.references, key.column, key.name].includes(target) ? [toOne(key)] : []),
      ...(key.references === table.name && key.isOneWay !== true && [key.table, key.name].includes(target)
        ? [toMany(key)]
        : []),
    ]),
    ...JUNCTIONS.flatMap((junction) => manyToMany(junction, { from: table.name, to: target })),
  ].filter(({ names }) => hint === undefined || names.includes(hint));
  const [found] = candidates;
  if (found === undefined) throw unknownRelation(table.name, target, hint);
  if (candidates.length > 1) throw ambiguous(table.name, target, candidates);
  return found.relation;
}

interface Candidate {
  /** The names that a hint may use; the first is the recommended one. */
  readonly names: readonly string[];
  readonly details: string;
  readonly relation: Relation;
}

function toOne(key: ForeignKey): Candidate {
  const table = findTable(key.references);
  const own = columnOf(findTable(key.table), key.column);
  return { ...named(key), relation: { table, finds: "one", own, other: columnOf(table, "id") } };
}

function toMany(key: ForeignKey): Candidate {
  const table = findTable(key.table);
  const own = columnOf(findTable(key.references), "id");
  return { ...named(key), relation: { table, finds: "many", own, other: columnOf(table, key.column) } };
}

function named(key: ForeignKey): Pick<Candidate, "names" | "details"> {
  return {
    names: [key.name, key.column],
    details: `${key.name}: ${key.table}(${key.column}) to ${key.references}(id)`,
  };
}

function manyToMany(name: string, of: { readonly from: string; readonly to: string }): readonly Candidate[] {
  const keys = FOREIGN_KEYS.filter((key) => key.table === name);
  const own = keys.find(({ references }) => references === of.from);
  const other = keys.find(({ references }) => references === of.to);
  if (own === undefined || other === undefined || own === other) return [];
  const table = findTable(other.references);
  const junction = findTable(name);
  const relation: Relation = {
    table,
    finds: "many",
    own: columnOf(findTable(own.references), "id"),
    other: columnOf(table, "id"),
    junction: { table: junction, own: columnOf(junction, own.column), other: columnOf(junction, other.column) },
  };
  return [{ names: [name, own.name, other.name], details: `${name}: ${own.name} and ${other.name}`, relation }];
}

function columnOf(table: Table, name: string): Column {
  const column = table.columns.get(name);
  if (column === undefined) throw new Error(`A foreign key references ${table.name}.${name}, which is not a column.`);
  return column;
}

function unknownRelation(table: string, target: string, hint: string | undefined): TableError {
  const by = hint === undefined ? "" : ` using the hint '${hint}'`;
  return new TableError(400, "PGRST200", {
    message: `Could not find a relationship between '${table}' and '${target}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${table}' and '${target}'${by} in the schema 'public', but no matches were found.`,
  });
}

function ambiguous(table: string, target: string, candidates: readonly Candidate[]): TableError {
  const ways = candidates.map(({ names }) => `'${target}!${names[0]}'`).join(", ");
  return new TableError(300, "PGRST201", {
    message: `Could not embed because more than one relationship was found for '${table}' and '${target}'`,
    hint: `Try changing '${target}' to one of the following: ${ways}. Find the desired relationship in the 'details' key.`,
    details: candidates.map(({ details }) => details).join("; "),
  });
}
