import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { FORMAT, OUTPUT_FILE_OPTION, writeExport } from "../export-file.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { openSession } from "../service/session.ts";

const agent = defineCommand({
  summary: "Export an agent, excluding credentials and workspace-specific data",
  args: {
    agent: { type: "positional", description: "Id or name" },
    ...OUTPUT_FILE_OPTION,
    ...FORMAT,
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const exported = await muster.exportAgent({
      id: await resolveId(muster, "agent", args.agent),
      ...(args.format && { format: args.format }),
    });
    return writeExport(out, exported, args);
  },
});

const team = defineCommand({
  summary: "Export a team with its agents",
  args: {
    team: { type: "positional", description: "Id or name" },
    ...OUTPUT_FILE_OPTION,
    ...FORMAT,
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const exported = await muster.exportTeam({
      id: await resolveId(muster, "team", args.team),
      ...(args.format && { format: args.format }),
    });
    return writeExport(out, exported, args);
  },
});

/** `muster export …` */
export default defineGroup("Export agents and teams", { agent, team });
