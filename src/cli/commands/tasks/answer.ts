import { z } from "zod";
import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import type { Values } from "../../define-command.ts";
import { CliError, UsageError } from "../../errors/cli-error.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { describeQuestion } from "../../watch/question.ts";

const ANSWER = {
  approve: { type: "boolean", description: "Approve, or confirm the data" },
  refuse: { type: "boolean", description: "Refuse" },
  data: { type: "string", valueHint: "json", description: "The data as it should be" },
  choice: { type: "string", valueHint: "id", description: "The option to choose" },
  text: { type: "string", description: "The answer in words" },
  values: { type: "string", valueHint: "json", description: "The form's values, by their keys" },
  "cancel-wizard": { type: "boolean", description: "Break off a question of several steps" },
} as const;

export default defineCommand({
  summary: "Answer the question for which a task waits; without an answer, show it.",
  args: { id: { type: "positional", description: "The task's id" }, ...ANSWER, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const { id, status, interaction } = await api.getTask(args.id);
    if (interaction === null) throw new CliError(EXIT.failed, `Task ${id} is ${status} and asks nothing.`);
    const given = answerOf(args);
    if (Object.keys(given).length === 0) {
      if (args.json) out.json(interaction);
      else for (const line of describeQuestion(id, interaction)) out.line(line);
      return EXIT.ok;
    }
    const { interactionId, wizardStepId } = interaction;
    const answered = await api.answerTask(id, { interactionId, wizardStepId, ...given });
    if (args.json) out.json(answered);
    else out.line(`Answered task ${id}`);
    return EXIT.ok;
  },
});

function answerOf(args: Values<typeof ANSWER>): object {
  if (args.approve && args.refuse) throw new UsageError("--approve and --refuse contradict each other.");
  return {
    ...((args.approve || args.refuse) && { approved: args.approve === true }),
    ...(args.data !== undefined && { data: parseObject("data", args.data) }),
    ...(args.choice !== undefined && { selectedOptionId: args.choice }),
    ...(args.text !== undefined && { text: args.text }),
    ...(args.values !== undefined && { values: parseObject("values", args.values) }),
    ...(args["cancel-wizard"] && { wizardCancelled: true }),
  };
}

function parseObject(option: string, text: string): object {
  const json = z
    .string()
    .transform((value, context) => {
      try {
        return z.unknown().parse(JSON.parse(value));
      } catch {
        context.addIssue("no JSON");
        return z.NEVER;
      }
    })
    .pipe(z.record(z.string(), z.unknown()))
    .safeParse(text);
  if (!json.success) throw new UsageError(`--${option} must be a JSON object such as '{"name":"Ann"}'.`);
  return json.data;
}
