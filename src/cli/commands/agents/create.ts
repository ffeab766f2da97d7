import { CONNECTION, parseList, parseNumber } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";

export default defineCommand({
  summary: "Create an agent.",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    model: { type: "string", required: true, description: 'Its model; "demo" needs no key' },
    description: { type: "string", description: "What it is for" },
    "system-prompt": { type: "string", valueHint: "text", description: "How it is to work" },
    provider: { type: "string", description: "Who serves the model, where its name does not tell" },
    "fallback-model": { type: "string", valueHint: "model", description: "Asked when the model fails" },
    temperature: { type: "string", valueHint: "0-2", description: "0 is deterministic" },
    "max-tokens": { type: "string", valueHint: "n", description: "Longest answer" },
    tools: { type: "string", valueHint: "a,b", description: "Tools it may use" },
    tags: { type: "string", valueHint: "a,b", description: "Tags" },
    ...CONNECTION,
  },
  async run(args) {
    const fields = {
      name: args.name,
      model: args.model,
      description: args.description,
      system_prompt: args["system-prompt"],
      provider: args.provider,
      fallback_model: args["fallback-model"],
      temperature: parseNumber("temperature", args.temperature),
      max_tokens: parseNumber("max-tokens", args["max-tokens"]),
      tools: parseList(args.tools),
      tags: parseList(args.tags),
    };
    const { api, out } = openSession(args);
    const { data: agent, meta } = await api.createAgent(fields);
    if (args.json) out.json(agent);
    else {
      out.line(`Created agent ${safeText(agent.name)} (${agent.id}) on ${safeText(agent.model)}`);
      if (meta.warning !== undefined) out.note(safeText(meta.warning), "yellow");
      out.note(`Give it a task: muster tasks create --agent ${agent.id} --title "…" --watch`, "dim");
    }
    return EXIT.ok;
  },
});
