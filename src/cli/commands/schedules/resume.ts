import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { createSchedulesApi } from "../../schedules-api.ts";

export default defineCommand({
  summary: "Let a paused schedule go on.",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const schedule = await createSchedulesApi(client).update(args.id, { is_active: true });
    if (args.json) out.json(schedule);
    else out.line(`Resumed schedule ${safeText(schedule.name)} (${schedule.id})`);
    return EXIT.ok;
  },
});
