import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { formatCost, formatTime } from "../../terminal/format.ts";
import { fieldLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "Show a task and its result.",
  args: { id: { type: "positional", description: "The task's id" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const task = await api.getTask(args.id);
    if (args.json) {
      out.json(task);
      return EXIT.ok;
    }
    const { usage } = task;
    const lines = fieldLines({
      id: task.id,
      title: task.title,
      description: task.description,
      status: task.status,
      priority: task.priority,
      agent: task.assigned_agent_id,
      created: formatTime(task.created_at),
      started: formatTime(task.started_at),
      ended: formatTime(task.completed_at),
      usage: `${usage.prompt_tokens} tokens in, ${usage.completion_tokens} out, ${formatCost(usage.cost_usd)}`,
      error: task.error,
    });
    lines.forEach((line) => out.line(line));
    if (task.result !== null) {
      out.line("");
      out.text(task.result);
      out.endLine();
    }
    return EXIT.ok;
  },
});
