import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { createSchedulesApi } from "../../schedules-api.ts";

export default defineCommand({
  summary: "Pause a schedule.",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const schedule = await createSchedulesApi(client).update(args.id, { is_active: false });
    if (args.json) out.json(schedule);
    else out.line(`Paused schedule ${safeText(schedule.name)} (${schedule.id})`);
    return EXIT.ok;
  },
});
