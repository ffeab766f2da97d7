import { EXIT } from "../errors/exit-codes.ts";
import type { MusterClient } from "#client/index.ts";
import { openSession } from "../service/session.ts";
import { confirm } from "../terminal/prompt.ts";
import { safeText } from "../terminal/safe-text.ts";
import { CONNECTION } from "./arguments.ts";
import { defineCommand } from "./define-command.ts";
import type { Command } from "./define-command.ts";
import { listNamed, recordKind } from "./record-kinds.ts";
import type { RecordKindName } from "./record-kinds.ts";
import { resolveRecord } from "./resolve-record.ts";

/** The option that skips the confirmation of a deletion. */
export const YES = { yes: { type: "boolean", description: "Do not ask" } } as const;

const DONE = { Delete: "deleted", Revoke: "revoked", Remove: "removed", Disconnect: "disconnected" } as const;

/** A deletion. */
export interface Deletion {
  readonly kind: RecordKindName;
  /** The consequences, as sentences: `Its log is deleted too; its tasks stay.` */
  readonly effect: string;
  /** Default: `Delete`. */
  readonly verb?: keyof typeof DONE;
  /** Returns further consequences that depend on the record, as sentences; empty without any. */
  readonly findMore?: (muster: MusterClient, id: string) => Promise<string>;
  readonly remove: (muster: MusterClient, id: string) => Promise<unknown>;
}

/**
 * Returns a command that deletes one record. On a terminal, it shows the consequences and asks for confirmation; without
 * one it needs `--yes`.
 */
export function defineDeletion({ kind, effect, verb = "Delete", findMore, remove }: Deletion): Command {
  const { what } = recordKind(kind);
  return defineCommand({
    summary: `${verb} ${/^(?:[aeiou]|MCP )/i.test(what) ? "an" : "a"} ${what}. ${effect}`,
    args: { id: { type: "positional", description: `Id or name of the ${what}` }, ...YES, ...CONNECTION },
    async run(args) {
      const { muster, out } = openSession(args);
      const { id, name: given } = await resolveRecord(muster, kind, args.id);
      const name = given === "" && !args.yes && process.stdin.isTTY ? await nameOf(muster, kind, id) : given;
      const shown = name === "" ? `${what} ${id}` : `${what} ${safeText(name)} (${id})`;
      if (!args.yes) {
        const more = (await findMore?.(muster, id)) ?? "";
        await confirm(`${verb} ${shown}?`, [effect, more].filter((text) => text !== "").join("\n"));
      }
      await remove(muster, id);
      if (args.json) out.json({ id, [DONE[verb]]: true });
      else out.line(`${verb}${verb.endsWith("e") ? "d" : "ed"} ${shown}`);
      return EXIT.ok;
    },
  });
}

/** The name to confirm, for a complete id; empty when the record is not among the newest or cannot be read. */
async function nameOf(muster: MusterClient, kind: RecordKindName, id: string): Promise<string> {
  const newest = await listNamed(muster, kind).catch(() => []);
  return newest.find((each) => each.id === id)?.name ?? "";
}
