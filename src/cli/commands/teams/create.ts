import { TEAM_MODE_NAMES } from "#domain/team.ts";
import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { readJsonObject } from "../../read-json.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";

export default defineCommand({
  summary: "Create a team.",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    mode: { type: "enum", options: [...TEAM_MODE_NAMES], required: true, description: "How its agents work together" },
    description: { type: "string", description: "What it is for" },
    config: { type: "string", valueHint: "file", description: "Its config as JSON; - reads it from standard input" },
    ...CONNECTION,
  },
  async run(args) {
    const { name, mode, description } = args;
    const { api, out } = openSession(args);
    const config = args.config === undefined ? undefined : await readJsonObject(args.config, "the config", out);
    const team = await api.createTeam({ name, mode, description, config });
    if (args.json) out.json(team);
    else {
      out.line(`Created team ${safeText(team.name)} (${team.id}) with ${team.members.length} members`);
      out.note(`Give it work: muster runs create --team ${team.id} --task "…"`, "dim");
    }
    return EXIT.ok;
  },
});
