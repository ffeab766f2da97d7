import { TASK_PRIORITIES } from "#domain/task.ts";
import { WATCHING } from "../../arguments.ts";
import { ATTACH, uploadAttachments } from "../../attach-files.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { resolveAgent } from "../../resolve-agent.ts";
import { openSession } from "../../session.ts";
import { readAllInput } from "../../terminal/input.ts";
import { watchTask } from "../../watch/watch-task.ts";

export default defineCommand({
  summary: "Give an agent a task.",
  args: {
    agent: { type: "string", required: true, valueHint: "id or name", description: "Who is to do it" },
    title: { type: "string", required: true, description: "What is to be done" },
    description: { type: "string", valueHint: "text", description: "The details; - reads them from standard input" },
    priority: { type: "enum", options: [...TASK_PRIORITIES], description: "More urgent tasks start first" },
    ...ATTACH,
    at: { type: "string", valueHint: "time", description: "When it is to begin, as in 2030-01-31T12:00:00Z" },
    watch: { type: "boolean", description: "Show the answer as it comes, and wait for the end" },
    ...WATCHING,
  },
  async run(args) {
    const { title, priority, at, watch, json } = args;
    const session = openSession(args);
    const { api, out } = session;
    const agentId = await resolveAgent(api, args.agent);
    const description = args.description === "-" ? await readAllInput(out, "the description") : args.description;
    const attachments = await uploadAttachments(api, args.attach);
    const task = await api.createTask({
      title,
      description,
      priority,
      assigned_agent_id: agentId,
      attachments,
      scheduled_for: at,
    });
    if (watch) {
      out.note(`Task ${task.id}`, "dim");
      return watchTask(session, task, json ? "json" : "text");
    }
    if (json) out.json(task);
    else {
      out.line(`Created task ${task.id} (${task.status})`);
      out.note(`See it work: muster tasks watch ${task.id}`, "dim");
    }
    return EXIT.ok;
  },
});
