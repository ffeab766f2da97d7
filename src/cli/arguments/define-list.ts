import type { MusterClient, Page } from "#client/index.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import { CONNECTION, LIMIT, parseCount } from "./arguments.ts";
import { defineCommand } from "./define-command.ts";
import type { ArgsDef, Command, Values } from "./define-command.ts";

/** A list of records. */
export interface List<T extends ArgsDef, Item> {
  readonly summary: string;
  /** Its arguments besides `--limit` and those of the connection. */
  readonly args: T;
  /** Reads the first page, of the size `limit`. */
  readonly read: (muster: MusterClient, args: Values<T> & { readonly limit: number }) => Promise<Page<Item>>;
  /** Returns the note for an empty list. */
  readonly none: (args: Values<T>) => string;
  /** Returns the cells of a record by the headings of their columns. */
  readonly row: (item: Item) => Readonly<Record<string, string | number | null | undefined>>;
}

/** Returns a command that prints a list as a table, up to `--limit` records. */
export function defineList<const T extends ArgsDef, Item>({
  summary,
  args: own,
  read,
  none,
  row,
}: List<T, Item>): Command {
  return defineCommand({
    summary,
    args: { ...own, ...LIMIT, ...CONNECTION },
    async run(args) {
      const limit = parseCount("limit", args.limit);
      const { muster, out } = openSession(args);
      const { items, hasMore } = await listUpTo(limit, (size) => read(muster, { ...args, limit: size }));
      const rows = items.map(row);
      const [first] = rows;
      if (args.json) out.json(items);
      else if (first === undefined) out.note(none(args));
      else
        out.table(
          Object.keys(first),
          rows.map((cells) => Object.values(cells).map((cell) => String(cell ?? ""))),
        );
      if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
      return EXIT.ok;
    },
  });
}
