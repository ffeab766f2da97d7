import { ANSWERING, answerQuestion } from "../../answer-question.ts";
import { defineCommand } from "../../define-command.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Answer the question for which a task waits; without an answer, show it.",
  args: { id: { type: "positional", description: "The task's id" }, ...ANSWERING },
  async run(args) {
    const session = openSession(args);
    return answerQuestion(session, { what: "task", record: await session.api.getTask(args.id) }, args);
  },
});
