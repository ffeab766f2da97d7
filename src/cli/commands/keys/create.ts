import { CONNECTION, parseList } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Make a key; it is printed this once.",
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
      out.note(`Made the ${made.kind} key ${made.id}. It is not shown again.`, "dim");
    }
    return EXIT.ok;
  },
});
