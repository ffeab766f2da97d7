import { UsageError } from "../errors/cli-error.ts";
import { parseNumber } from "./arguments.ts";
import type { Command } from "./define-command.ts";
import { defineRequest } from "./define-request.ts";
import { parseJsonObject } from "./read-json.ts";
import { resolveId } from "./resolve-record.ts";

/** The noun for a step of each, for the help. */
const STEPS = { task: "model call", run: "step" } as const;

/** Returns the command that forks a task or a team run. */
export function defineFork(kind: keyof typeof STEPS): Command {
  const step = STEPS[kind];
  return defineRequest({
    summary: `Fork a ${kind} at a ${step}; earlier ${step}s are reused`,
    args: {
      id: { type: "positional", description: "Id or title" },
      "from-step": {
        type: "string",
        required: true,
        valueHint: "number",
        description: `First ${step} to run again, from 0`,
      },
      attempt: {
        type: "string",
        valueHint: "number",
        description: `Attempt of the ${kind} (default: the newest)`,
      },
      prompt: {
        type: "string",
        valueHint: "text",
        description: kind === "run" ? "Other instructions for that step" : "A message to add before that call",
      },
      model: {
        type: "string",
        valueHint: "id",
        description:
          kind === "run" ? "Another model for that step's agents, in this run" : "Another model, for the new task",
      },
      answer: {
        type: "string",
        valueHint: "text",
        description:
          kind === "run"
            ? "Output of that step, instead of running it; of an orchestrator, the output of the run"
            : "Result of the new task, instead of that call",
      },
      "change-answer": {
        type: "string",
        valueHint: "json",
        description: `Another answer to the question that a person answered in that ${step}, such as '{"approved":true}'`,
      },
      question: {
        type: "string",
        valueHint: "number or key",
        description: "The question: its index, from 0, or its key (default: the last)",
      },
    },
    async send({ muster }, args) {
      const { prompt, model } = args;
      const changes = { prompt, model, answer: answerOf(args), question: questionOf(args.question) };
      const fromStep = parseNumber("from-step", args["from-step"]) ?? 0;
      const id = await resolveId(muster, kind, args.id);
      const attempt = parseNumber("attempt", args.attempt);
      return muster.forkRun({ id }, { from_step: fromStep, attempt, changes });
    },
    print: ({ out }, { id, status }) => out.line(`Started ${kind} ${id} (${status})`),
  });
}

function answerOf(args: { readonly answer: string | undefined; readonly "change-answer": string | undefined }) {
  const { answer, "change-answer": changed } = args;
  if (changed === undefined) return answer;
  if (answer !== undefined) throw new UsageError("Give --answer or --change-answer, not both.");
  return parseJsonObject(changed, "the value of --change-answer");
}

/** An index, or a key such as `answer:result:call_1`, which contains more than digits. */
function questionOf(given: string | undefined): number | string | undefined {
  return given !== undefined && /^\d+$/.test(given) ? parseNumber("question", given) : given;
}
