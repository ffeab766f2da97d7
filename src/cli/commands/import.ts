import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { asBody } from "../arguments/as-body.ts";
import { readJsonObject } from "../arguments/read-json.ts";
import { openSession } from "../service/session.ts";
import { safeText } from "../terminal/safe-text.ts";

/** `muster import` */
export default defineCommand({
  summary: "Create the agent or team of an exported file; names get the suffix (imported)",
  args: {
    file: { type: "positional", default: "-", description: "Its path; - reads standard input" },
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const made = await muster.importAgent(asBody(await readJsonObject(args.file, "the exported file", out)));
    if (args.json) out.json(made);
    else {
      for (const { id, name } of made.agents) out.line(`Created agent ${safeText(name)} (${id})`);
      for (const { path, message } of made.warnings) out.note(`${safeText(path)}: ${safeText(message)}`, "yellow");
      if (made.team !== null) out.line(`Created team ${safeText(made.team.name)} (${made.team.id})`);
    }
    return EXIT.ok;
  },
});
