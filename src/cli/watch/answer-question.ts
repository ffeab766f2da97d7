import { CONNECTION } from "../arguments/arguments.ts";
import type { Values } from "../arguments/define-command.ts";
import { parseJsonObject } from "../arguments/read-json.ts";
import { CliError, UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { ExitCode } from "../errors/exit-codes.ts";
import type { Schemas } from "#client/index.ts";
import type { Session } from "../service/session.ts";
import { isInteractive } from "../terminal/prompt.ts";
import { askAndSend } from "./ask-and-send.ts";
import { describeQuestion } from "./question.ts";
import { sendAnswer } from "./send-answer.ts";

/** The options for answers to questions of all kinds. */
const ANSWER = {
  approve: { type: "boolean", description: "Approve, or confirm the data" },
  refuse: { type: "boolean", description: "Refuse" },
  data: { type: "string", valueHint: "json", description: "Corrected data" },
  choice: { type: "string", valueHint: "id", description: "Id of the chosen option" },
  text: { type: "string", description: "Text of the answer" },
  values: { type: "string", valueHint: "json", description: "Values of the form, by key" },
  "cancel-wizard": { type: "boolean", description: "Cancel a wizard" },
} as const;

/** The arguments of a command that answers a question. */
export const ANSWER_OPTIONS = { ...ANSWER, ...CONNECTION } as const;

/** The task or run that waits for an answer. */
export interface AnswerTarget {
  readonly what: "task" | "run";
  readonly record: Schemas["Task"] | Schemas["Run"];
}

/**
 * Answers the open question of a task or a run. Without an answer in the arguments, prompts on a terminal and shows the
 * question elsewhere.
 * @throws CliError when there is no open question, or the service rejects the answer.
 */
export async function answerQuestion(
  session: Session,
  { what, record }: AnswerTarget,
  args: Values<typeof ANSWER_OPTIONS>,
): Promise<ExitCode> {
  const { muster, out } = session;
  const { id, status, interaction } = record;
  if (interaction === null) {
    throw new CliError(EXIT.failed, `${what === "task" ? "Task" : "Run"} ${id} is ${status} and has no open question.`);
  }
  const given = answerOf(args);
  if (Object.keys(given).length === 0) {
    if (args.json) out.json(interaction);
    else if (isInteractive()) {
      await askAndSend(session, { what, id }, { asked: interaction, signal: new AbortController().signal });
      out.line(`Answered ${what} ${id}`);
    } else for (const line of describeQuestion({ what, id }, interaction)) out.line(line);
    return EXIT.ok;
  }
  const { interactionId, wizardStepId } = interaction;
  const answered = await sendAnswer(
    muster,
    { what, id },
    { interactionId, ...(wizardStepId && { wizardStepId }), ...given },
  );
  if (args.json) out.json(answered);
  else out.line(`Answered ${what} ${id}`);
  return EXIT.ok;
}

function answerOf(args: Values<typeof ANSWER>) {
  if (args.approve && args.refuse) throw new UsageError("Give --approve or --refuse, not both.");
  return {
    ...((args.approve || args.refuse) && { approved: args.approve === true }),
    ...(args.data !== undefined && { data: parseJsonObject(args.data, "the value of --data") }),
    ...(args.choice !== undefined && { selectedOptionId: args.choice }),
    ...(args.text !== undefined && { text: args.text }),
    ...(args.values !== undefined && { values: parseJsonObject(args.values, "the value of --values") }),
    ...(args["cancel-wizard"] && { wizardCancelled: true as const }),
  };
}
