import { isUuid } from "#lib/ids.ts";
import { UsageError } from "../errors/cli-error.ts";
import { nearest } from "../terminal/nearest.ts";
import { safeText } from "../terminal/safe-text.ts";

const NAMES_SHOWN = 20;

/** A record that has a name besides its id. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Among what a name is looked up. */
export interface Namesakes<T extends Named> {
  /** What they are: `agent`. */
  readonly what: string;
  readonly list: () => Promise<readonly T[]>;
  /** What tells those of the same name apart, besides the id. */
  readonly detail: (record: T) => string;
  /** Said when there is none at all. */
  readonly none: string;
}

/**
 * The id of the record that a user named by its id or its exact name.
 * @throws UsageError when none or several have the name.
 */
export async function resolveName<T extends Named>(idOrName: string, among: Namesakes<T>): Promise<string> {
  if (isUuid(idOrName)) return idOrName;
  const all = await among.list();
  const [record, ...others] = all.filter(({ name }) => name === idOrName);
  if (record === undefined) throw new UsageError(safeText(unknownName(idOrName, all, among)));
  if (others.length > 0) throw new UsageError(ambiguousName(idOrName, [record, ...others], among));
  return record.id;
}

function unknownName<T extends Named>(given: string, all: readonly T[], { what, none }: Namesakes<T>): string {
  if (all.length === 0) return none;
  const names = [...new Set(all.map(({ name }) => name))];
  const near = nearest(given, names);
  const more = names.length > NAMES_SHOWN ? `\n  … and ${names.length - NAMES_SHOWN} more (muster ${what}s list)` : "";
  return (
    `No ${what} is called "${given}".${near === undefined ? "" : ` Did you mean "${near}"?`}\n${capital(what)}s:\n` +
    names
      .slice(0, NAMES_SHOWN)
      .map((name) => `  ${name}`)
      .join("\n") +
    more
  );
}

function ambiguousName<T extends Named>(given: string, same: readonly T[], { what, detail }: Namesakes<T>): string {
  const lines = same.map((record) => `  ${record.id}  ${safeText(detail(record))}`);
  return `${same.length} ${what}s are called "${safeText(given)}". Use the id of one:\n${lines.join("\n")}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
