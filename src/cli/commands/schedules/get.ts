import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createSchedulesApi } from "../../schedules-api.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { fieldLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "Show a schedule with its next times.",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const schedule = await createSchedulesApi(client).get(args.id);
    if (args.json) {
      out.json(schedule);
      return EXIT.ok;
    }
    const lines = fieldLines({
      id: schedule.id,
      name: schedule.name,
      cron: `${schedule.cron} (${schedule.time_zone})`,
      "missed times": schedule.missed,
      overlap: schedule.overlap,
      agent: schedule.assigned_agent_id,
      team: schedule.assigned_team_id,
      title: schedule.title,
      "last fired": formatTime(schedule.last_fired_at),
      next: schedule.is_active ? schedule.next_times.map(formatTime).join(", ") : "paused",
    });
    lines.forEach((line) => out.line(line));
    return EXIT.ok;
  },
});
