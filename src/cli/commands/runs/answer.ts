import { ANSWERING, answerQuestion } from "../../answer-question.ts";
import { defineCommand } from "../../define-command.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Answer the question for which a team's run waits; without an answer, show it.",
  args: { id: { type: "positional", description: "The run's id" }, ...ANSWERING },
  async run(args) {
    const session = openSession(args);
    return answerQuestion(session, { what: "run", record: await session.api.getRun(args.id) }, args);
  },
});
