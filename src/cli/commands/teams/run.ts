import { WATCHING } from "../../arguments.ts";
import { ATTACH, uploadAttachments } from "../../attach-files.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { resolveTeam } from "../../resolve-team.ts";
import { openSession } from "../../session.ts";
import { readAllInput } from "../../terminal/input.ts";
import { watchRun } from "../../watch/watch-run.ts";

export default defineCommand({
  summary: "Give a team a piece of work.",
  args: {
    team: { type: "positional", description: "Its id or exact name" },
    input: {
      type: "string",
      required: true,
      valueHint: "text",
      description: "The work; - reads it from standard input",
    },
    ...ATTACH,
    watch: { type: "boolean", description: "Show the steps as they go on, and wait for the end" },
    ...WATCHING,
  },
  async run(args) {
    const { watch, json } = args;
    const session = openSession(args);
    const { api, out } = session;
    const teamId = await resolveTeam(api, args.team);
    const input = args.input === "-" ? await readAllInput(out, "the work") : args.input;
    const attachments = await uploadAttachments(api, args.attach);
    const run = await api.startRun({ team_id: teamId, input_task: input, attachments });
    if (watch) {
      out.note(`Run ${run.id}`, "dim");
      return watchRun(session, run.id, json ? "json" : "text");
    }
    if (json) out.json(run);
    else {
      out.line(`Started run ${run.id} (${run.status})`);
      out.note(`See it work: muster runs watch ${run.id}`, "dim");
    }
    return EXIT.ok;
  },
});
