import { CONNECTION, parseNumber } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
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
    prompt: { type: "string", valueHint: "text", description: "Other instructions for that step" },
    model: { type: "string", valueHint: "id", description: "Another model for that step's agents, in this run" },
    answer: { type: "string", valueHint: "text", description: "That step's output, in place of doing it" },
    ...CONNECTION,
  },
  async run(args) {
    const { prompt, model, answer } = args;
    const fromStep = parseNumber("from-step", args["from-step"]);
    const { api, out } = openSession(args);
    const run = await api.forkRun(args.id, { from_step: fromStep, changes: { prompt, model, answer } });
    if (args.json) out.json(run);
    else out.line(`Started run ${run.id} (${run.status})`);
    return EXIT.ok;
  },
});
