import { CONNECTION } from "../../arguments.ts";
import { ATTACH, uploadAttachments } from "../../attach-files.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { resolveTeam } from "../../resolve-team.ts";
import { openSession } from "../../session.ts";
import { readAllInput } from "../../terminal/input.ts";

export default defineCommand({
  summary: "Start a team on a piece of work.",
  args: {
    team: { type: "string", required: true, valueHint: "id or name", description: "Who is to do it" },
    task: {
      type: "string",
      required: true,
      valueHint: "text",
      description: "The work; - reads it from standard input",
    },
    ...ATTACH,
    ...CONNECTION,
  },
  async run(args) {
    const { api, out } = openSession(args);
    const teamId = await resolveTeam(api, args.team);
    const task = args.task === "-" ? await readAllInput(out, "the work") : args.task;
    const attachments = await uploadAttachments(api, args.attach);
    const run = await api.startRun({ team_id: teamId, input_task: task, attachments });
    if (args.json) out.json(run);
    else {
      out.line(`Started run ${run.id} (${run.status})`);
      out.note(`See how it goes: muster runs get ${run.id}`, "dim");
    }
    return EXIT.ok;
  },
});
