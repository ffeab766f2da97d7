import { CONNECTION, parseList, parseNumber } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { tableLines } from "../terminal/table.ts";

const list = defineCommand({
  summary: "List the workspace's keys, newest first; their texts are never shown",
  args: CONNECTION,
  async run(args) {
    const { api, out } = openSession(args);
    const keys = await api.listKeys();
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
      tableLines(headings, rows).forEach((line) => out.line(line));
    }
    return EXIT.ok;
  },
});

const create = defineCommand({
  summary: "Make a key; it is printed this once",
  args: {
    label: { type: "string", required: true, description: "What it is for" },
    kind: { type: "string", default: "envelope", description: "envelope, table, mcp, a2a or ag-ui" },
    scopes: { type: "string", valueHint: "a,b", description: "read, write; both when left out" },
    expires: { type: "string", valueHint: "time", description: "When it ends, as in 2030-01-31T12:00:00Z" },
    ...CONNECTION,
  },
  async run(args) {
    const { label, kind, scopes, expires } = args;
    const { api, out } = openSession(args);
    const made = await api.createKey({ label, kind, scopes: parseList(scopes), expires_at: expires });
    if (args.json) out.json(made);
    else {
      out.line(made.key);
      out.note(`Created ${made.kind} key ${made.id}. Copy it now; it won't be shown again.`, "dim");
    }
    return EXIT.ok;
  },
});

const revoke = defineCommand({
  summary: "Revoke a key, at once",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { id } = args;
    const { api, out } = openSession(args);
    await api.revokeKey(id);
    if (args.json) out.json({ id, revoked: true });
    else out.line(`Revoked key ${id}`);
    return EXIT.ok;
  },
});

const rotate = defineCommand({
  summary: "Make a key in another's place, printed this once; the old one works until the overlap ends",
  args: {
    id: { type: "positional", description: "The old key's id" },
    overlap: { type: "string", valueHint: "seconds", description: "How long both keys work (default: 1 day)" },
    ...CONNECTION,
  },
  async run(args) {
    const overlap = parseNumber("overlap", args.overlap);
    const { api, out } = openSession(args);
    const made = await api.rotateKey(args.id, { overlap_seconds: overlap });
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
