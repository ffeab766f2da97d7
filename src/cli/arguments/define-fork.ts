import { REASONING_EFFORTS } from "#domain/models/model-catalogue.ts";
import { UsageError } from "../errors/cli-error.ts";
import { parseNumber } from "./arguments.ts";
import type { Command, Values } from "./define-command.ts";
import { defineRequest } from "./define-request.ts";
import { parseJsonObject } from "./read-json.ts";
import { resolveId } from "./resolve-record.ts";

/** The noun for a step of each, for the help. */
const STEPS = { task: "model call", run: "step" } as const;

/** The values that remove an agent's own setting, as in the commands of agents. */
const [DEFAULT, NONE] = ["default", "none"] as const;

/** Options that replace settings of agents, and parts of a task. */
const REPLACEMENTS = {
  effort: { type: "enum", options: [...REASONING_EFFORTS, DEFAULT], description: "Another reasoning effort" },
  temperature: { type: "string", valueHint: "0-2", description: "Another temperature; none: the provider's default" },
  "system-prompt": { type: "string", valueHint: "text", description: "Another system prompt of a task's agent" },
  message: { type: "string", valueHint: "text", description: "Another message for a task to answer, from step 0" },
  "tool-results": {
    type: "string",
    valueHint: "json",
    description: `Other results of tools in that call of a task, which is not repeated, such as '{"tool:call_1":"rain"}'`,
  },
} as const;

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
      ...REPLACEMENTS,
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
      const { prompt, model, message } = args;
      const changes = {
        prompt,
        model,
        message,
        ...settingsOf(args),
        tool_results: resultsOf(args["tool-results"]),
        answer: answerOf(args),
        question: questionOf(args.question),
      };
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

function settingsOf({ effort, temperature, "system-prompt": system_prompt }: Values<typeof REPLACEMENTS>) {
  return {
    system_prompt,
    effort: effort === DEFAULT ? null : REASONING_EFFORTS.find((each) => each === effort),
    temperature: temperature === NONE ? null : parseNumber("temperature", temperature),
  };
}

function resultsOf(given: string | undefined): Record<string, string> | undefined {
  if (given === undefined) return undefined;
  const results = Object.entries(parseJsonObject(given, "the value of --tool-results"));
  return Object.fromEntries(
    results.map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

/** An index, or a key such as `answer:result:call_1`, which contains more than digits. */
function questionOf(given: string | undefined): number | string | undefined {
  return given !== undefined && /^\d+$/.test(given) ? parseNumber("question", given) : given;
}
