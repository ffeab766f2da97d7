import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createSchedulesApi } from "../../schedules-api.ts";
import { openSession } from "../../session.ts";
import { TEMPLATE, templateFields } from "../../task-template.ts";
import { formatTime } from "../../terminal/format.ts";
import { safeText } from "../../terminal/safe-text.ts";

export default defineCommand({
  summary: "Make a schedule, which gives an agent or a team a task again and again.",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    cron: { type: "string", required: true, description: 'When, as in "0 9 * * 1-5"; six fields begin with seconds' },
    "time-zone": { type: "string", valueHint: "zone", description: "As in Europe/Berlin; UTC when left out" },
    missed: { type: "string", description: "skip, once or all: what becomes of times without a process" },
    overlap: { type: "string", description: "skip: no task while the last one has not ended; else allow" },
    ...TEMPLATE,
    ...CONNECTION,
  },
  async run(args) {
    const { name, cron, missed, overlap } = args;
    const { api, client, out } = openSession(args);
    const template = await templateFields(api, args);
    const made = await createSchedulesApi(client).create({
      name,
      cron,
      time_zone: args["time-zone"],
      missed,
      overlap,
      ...template,
    });
    if (args.json) out.json(made);
    else {
      out.line(`Created schedule ${safeText(made.name)} (${made.id})`);
      out.note(`Next: ${made.next_times.map(formatTime).join(", ")}`, "dim");
    }
    return EXIT.ok;
  },
});
