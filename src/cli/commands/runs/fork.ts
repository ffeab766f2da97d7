import { CONNECTION, parseNumber } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { parseObject } from "../../answer-question.ts";
import { UsageError } from "../../errors/cli-error.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Start a run that takes what came before a step from this one.",
  args: {
    id: { type: "positional", description: "The run's id" },
    "from-step": {
      type: "string",
      required: true,
      valueHint: "number",
      description: "The first step to do anew, from 0",
    },
    prompt: {
      type: "string",
      valueHint: "text",
      description: "Other instructions for that step, or what is said at it besides",
    },
    model: { type: "string", valueHint: "id", description: "Another model for that step's agents, in this run" },
    answer: { type: "string", valueHint: "text", description: "That step's output, in place of doing it" },
    "change-answer": {
      type: "string",
      valueHint: "json",
      description: "Another answer to the question that a person answered in that step, such as '{\"approved\":true}'",
    },
    question: { type: "string", valueHint: "number", description: "Which of its questions, from 0; else the last one" },
    ...CONNECTION,
  },
  async run(args) {
    const { prompt, model } = args;
    const answer = answerOf(args);
    const question = parseNumber("question", args.question);
    const fromStep = parseNumber("from-step", args["from-step"]);
    const { api, out } = openSession(args);
    const run = await api.forkRun(args.id, { from_step: fromStep, changes: { prompt, model, answer, question } });
    if (args.json) out.json(run);
    else out.line(`Started run ${run.id} (${run.status})`);
    return EXIT.ok;
  },
});

function answerOf(args: { readonly answer: string | undefined; readonly "change-answer": string | undefined }) {
  const { answer, "change-answer": changed } = args;
  if (changed === undefined) return answer;
  if (answer !== undefined) throw new UsageError("--answer and --change-answer contradict each other.");
  return parseObject("change-answer", changed);
}
