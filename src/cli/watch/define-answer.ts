import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import type { Command, Values } from "../arguments/define-command.ts";
import { parseJsonObject } from "../arguments/read-json.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { CliError, UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";
import { isInteractive } from "../terminal/prompt.ts";
import { askAndSend } from "./ask-and-send.ts";
import { describeQuestion } from "./question.ts";
import type { QuestionSource } from "./question.ts";
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

/**
 * Returns the command that answers the open question of a task or a run. Without an answer in the arguments, it prompts
 * on a terminal and shows the question elsewhere.
 */
export function defineAnswer(what: QuestionSource["what"]): Command {
  return defineCommand({
    summary: `Answer a ${what}'s open question; without an answer, prompt for it on a terminal`,
    args: { id: { type: "positional", description: "Id or title" }, ...ANSWER, ...CONNECTION },
    async run(args) {
      const session = openSession(args);
      const { muster, out } = session;
      const query = { id: await resolveId(muster, what, args.id) };
      const { id, status, interaction } = await (what === "task" ? muster.getTask(query) : muster.getTeamRun(query));
      if (interaction === null) {
        const subject = `${what === "task" ? "Task" : "Run"} ${id}`;
        throw new CliError(EXIT.failed, `${subject} is ${status} and has no open question.`);
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
      const answer = { interactionId, ...(wizardStepId && { wizardStepId }), ...given };
      const answered = await sendAnswer(muster, { what, id }, answer);
      if (args.json) out.json(answered);
      else out.line(`Answered ${what} ${id}`);
      return EXIT.ok;
    },
  });
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
