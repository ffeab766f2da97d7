import { KEY_KINDS } from "#domain/access/api-key.ts";
import { CONNECTION, parseList, parseNumber } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { asBody } from "../arguments/as-body.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";

const list = defineCommand({
  summary: "List the workspace's keys, newest first; the keys themselves are never shown",
  args: CONNECTION,
  async run(args) {
    const { muster, out } = openSession(args);
    const { items: keys } = await listUpTo(Infinity, (limit) => muster.listKeys({ limit }));
    if (args.json) out.json(keys);
    else {
      const rows = keys.map(({ id, prefix, label, kind, scopes, last_used_at, expires_at, replaced_by }) => [
        id,
        `${prefix}…`,
        label,
        kind,
        scopes.join(", "),
        last_used_at === null ? "never" : formatTime(last_used_at),
        expires_at === null ? "" : formatTime(expires_at),
        replaced_by ?? "",
      ]);
      const headings = ["ID", "KEY", "LABEL", "KIND", "SCOPES", "LAST USED", "ENDS", "REPLACED BY"];
      out.table(headings, rows);
    }
    return EXIT.ok;
  },
});

const create = defineCommand({
  summary: "Create a key. Without a key of your own, it is written directly to the database of the service",
  examples: [
    "keys create",
    "keys create --kind mcp --label Editor",
    "keys create --scopes read --expires 2030-01-31T12:00:00Z",
  ],
  args: {
    label: { type: "string", default: "Command line", description: "Label" },
    kind: { type: "enum", options: [...KEY_KINDS], default: "envelope", description: "Kind of key" },
    scopes: { type: "string", valueHint: "a,b", description: "read, write (default: both)" },
    expires: { type: "string", valueHint: "time", description: "Expiry, such as 2030-01-31T12:00:00Z" },
    local: { type: "boolean", description: "Open the database of the service (DATABASE_URL or the data folder)" },
    ...CONNECTION,
  },
  async run(args) {
    const { label, kind, scopes, expires } = args;
    const { muster, out, settings } = openSession(args);
    if (args.local || settings.apiKey === undefined) {
      const { createKey } = await import("../../operator.ts");
      const key = await createKey({ kind, label, scopes: parseList(scopes), expires });
      if (args.json) out.json({ key, kind, label });
      else {
        out.line(key);
        out.note("Copy it now; it won't be shown again. Store it for this client: muster login", "dim");
      }
      return EXIT.ok;
    }
    const made = await muster.createKey(asBody({ label, kind, scopes: parseList(scopes), expires_at: expires }));
    if (args.json) out.json(made);
    else {
      out.line(made.key);
      out.note(`Created ${made.kind} key ${made.id}. Copy it now; it won't be shown again.`, "dim");
    }
    return EXIT.ok;
  },
});

const revoke = defineDeletion({
  kind: "key",
  effect: "It stops working immediately.",
  verb: "Revoke",
  remove: (muster, id) => muster.revokeKey({ id }),
});

const rotate = defineCommand({
  summary: "Replace a key: print a new one, once; the old one works until the overlap ends",
  args: {
    id: { type: "positional", description: "Id or name" },
    overlap: { type: "string", valueHint: "seconds", description: "How long both keys work (default: 1 day)" },
    ...CONNECTION,
  },
  async run(args) {
    const overlap = parseNumber("overlap", args.overlap);
    const { muster, out } = openSession(args);
    const made = await muster.rotateKey({ id: await resolveId(muster, "key", args.id) }, { overlap_seconds: overlap });
    if (args.json) out.json(made);
    else {
      out.line(made.key);
      out.note(
        `Created ${made.kind} key ${made.id} to replace ${args.id}. Copy it now; it won't be shown again.`,
        "dim",
      );
    }
    return EXIT.ok;
  },
});

/** `muster keys …` */
export default defineGroup("Manage API keys", { list, create, revoke, rotate });
