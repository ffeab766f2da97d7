import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { formatCost, formatTime } from "../../terminal/format.ts";
import { fieldLines, tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "Show a run, what its agents said, and its output.",
  args: { id: { type: "positional", description: "The run's id" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const run = await api.getRun(args.id);
    if (args.json) {
      out.json(run);
      return EXIT.ok;
    }
    const { usage, messages = [] } = run;
    const lines = fieldLines({
      id: run.id,
      team: run.team_id,
      task: run.input_task,
      status: run.status,
      created: formatTime(run.created_at),
      started: formatTime(run.started_at),
      ended: formatTime(run.completed_at),
      usage: `${usage.prompt_tokens} tokens in, ${usage.completion_tokens} out, ${formatCost(usage.cost_usd)}`,
      error: run.error,
    });
    lines.forEach((line) => out.line(line));
    if (messages.length > 0) {
      out.line("");
      const rows = messages.map((message) => [
        formatTime(message.created_at) ?? "",
        message.message_type,
        message.sender_agent_id ?? "",
        message.content.split("\n", 1).join(""),
      ]);
      tableLines(["AT", "MESSAGE", "FROM", "TEXT"], rows).forEach((line) => out.line(line));
    }
    if (run.output !== null) {
      out.line("");
      out.text(run.output);
      out.endLine();
    }
    return EXIT.ok;
  },
});
