import { asBody } from "../arguments/as-body.ts";
import { readJsonObject } from "../arguments/read-json.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { safeText } from "../terminal/safe-text.ts";

/** `muster import` */
export default defineRequest({
  summary: "Create the agent or team of an exported file; names get the suffix (imported)",
  args: {
    file: { type: "positional", default: "-", description: "Its path; - reads standard input" },
  },
  send: async ({ muster, out }, { file }) =>
    muster.importAgent(asBody(await readJsonObject(file, "the exported file", out))),
  print({ out }, { agents, warnings, team }) {
    for (const { id, name } of agents) out.line(`Created agent ${safeText(name)} (${id})`);
    for (const { path, message } of warnings) out.note(`${safeText(path)}: ${safeText(message)}`, "yellow");
    if (team !== null) out.line(`Created team ${safeText(team.name)} (${team.id})`);
  },
});
