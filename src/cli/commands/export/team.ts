import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { TO_FILE, writeExport } from "../../export-file.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Write a team and all of its agents as a file.",
  args: { team: { type: "positional", description: "Its id" }, ...TO_FILE, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    return writeExport(out, await api.exportResource("teams", args.team), args);
  },
});
