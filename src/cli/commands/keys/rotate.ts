import { CONNECTION, parseNumber } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Make a key in another's place, printed this once; the old one works until the overlap ends.",
  args: {
    id: { type: "positional", description: "The old key's id" },
    overlap: { type: "string", valueHint: "seconds", description: "How long both work; a day when left out" },
    ...CONNECTION,
  },
  async run(args) {
    const overlap = parseNumber("overlap", args.overlap);
    const { api, out } = openSession(args);
    const made = await api.rotateKey(args.id, { overlap_seconds: overlap });
    if (args.json) out.json(made);
    else {
      out.line(made.key);
      out.note(`Made the ${made.kind} key ${made.id} in place of ${args.id}. It is not shown again.`, "dim");
    }
    return EXIT.ok;
  },
});
