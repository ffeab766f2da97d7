import { isUuid } from "#lib/ids.ts";
import { UsageError } from "../errors/cli-error.ts";
import { nearest } from "#lib/text/nearest.ts";
import { oneLine, safeText } from "../terminal/safe-text.ts";

const NAMES_SHOWN = 20;
const NAME_WIDTH = 60;
/** The end of an id, as tables show it or shorter. */
const ID_END = /^[0-9a-f]{4,12}$/;

/** A record that has a name besides its id. */
export interface Named {
  readonly id: string;
  readonly name: string;
  /** What distinguishes records of the same name, besides the id. */
  readonly detail?: string;
}

/** The records among which a name is resolved. */
export interface NameCandidates {
  /** The noun for one of them, such as `agent`. */
  readonly what: string;
  /** The command that lists them. */
  readonly listedBy: string;
  readonly list: () => Promise<readonly Named[]>;
  /** The message when there are no records. */
  readonly none: string;
}

/**
 * Finds a record by its id, the end of its id, or its exact name; a complete id is returned unchecked, without a name.
 * @throws UsageError when no record or several match.
 */
export async function resolveName(given: string, among: NameCandidates): Promise<Named> {
  if (isUuid(given)) return { id: given, name: "" };
  const all = await among.list();
  const called = all.filter(({ name }) => name === given);
  const [record, ...others] =
    called.length > 0 || !ID_END.test(given) ? called : all.filter(({ id }) => id.endsWith(given));
  if (record === undefined) throw new UsageError(safeText(unknownName(given, all, among)));
  if (others.length > 0) throw new UsageError(ambiguousName(given, [record, ...others], among));
  return record;
}

function unknownName(given: string, all: readonly Named[], { what, listedBy, none }: NameCandidates): string {
  if (all.length === 0) return none;
  const names = [...new Set(all.flatMap(({ name }) => (name === "" ? [] : [oneLine(name, NAME_WIDTH)])))];
  const near = nearest(given, names);
  const no = `No ${what} is called "${given}" or has this id.`;
  if (names.length === 0) return `${no} "muster ${listedBy}" lists them.`;
  const more = names.length > NAMES_SHOWN ? `\n  … and ${names.length - NAMES_SHOWN} more (muster ${listedBy})` : "";
  return (
    `${no}${near === undefined ? "" : ` Did you mean "${near}"?`}\n${capitalize(plural(what))}:\n` +
    names
      .slice(0, NAMES_SHOWN)
      .map((name) => `  ${name}`)
      .join("\n") +
    more
  );
}

function ambiguousName(given: string, same: readonly Named[], { what }: NameCandidates): string {
  const lines = same.map((record) => `  ${record.id}  ${safeText(record.detail ?? record.name)}`);
  const how = same.some(({ name }) => name === given) ? "are called" : "have an id that ends with";
  return `${same.length} ${plural(what)} ${how} "${safeText(given)}". Use the id of one:\n${lines.join("\n")}`;
}

/** Returns the plural of the noun for a kind of records: `deliveries`. */
export function plural(noun: string): string {
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
