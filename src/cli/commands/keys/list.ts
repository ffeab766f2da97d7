import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List the workspace's keys, newest first; their texts are never shown.",
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
