import type { Output } from "../terminal/output.ts";
import { parseList, parseNumber } from "./arguments.ts";
import type { Values } from "./define-command.ts";
import { readJsonObject } from "./read-json.ts";

/** Options that set the fields of an agent. */
export const AGENT_FIELDS = {
  description: { type: "string", description: "What it is for" },
  "system-prompt": { type: "string", valueHint: "text", description: "System prompt" },
  provider: { type: "string", valueHint: "name", description: "Provider, if the model name does not imply it" },
  "fallback-model": { type: "string", valueHint: "model", description: "Fallback model" },
  temperature: { type: "string", valueHint: "0-2", description: "0 is deterministic" },
  "max-tokens": { type: "string", valueHint: "n", description: "Maximum tokens of a reply" },
  tools: { type: "string", valueHint: "a,b", description: "Tools it may use" },
  tags: { type: "string", valueHint: "a,b", description: "Tags" },
  config: {
    type: "string",
    valueHint: "file",
    description: "JSON file with any fields of an agent; - reads standard input. Options take precedence",
  },
} as const;

/** Returns the fields that these options set; the others are undefined. @throws UsageError. */
export async function agentFields(args: Values<typeof AGENT_FIELDS>, out: Output): Promise<Record<string, unknown>> {
  const given = {
    description: args.description,
    system_prompt: args["system-prompt"],
    provider: args.provider,
    fallback_model: args["fallback-model"],
    temperature: parseNumber("temperature", args.temperature),
    max_tokens: parseNumber("max-tokens", args["max-tokens"]),
    tools: parseList(args.tools),
    tags: parseList(args.tags),
  };
  const file = args.config === undefined ? {} : await readJsonObject(args.config, "the config", out);
  return { ...file, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}
