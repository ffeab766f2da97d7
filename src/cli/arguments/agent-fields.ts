import { REASONING_EFFORTS } from "#domain/models/model-catalogue.ts";
import type { Output } from "../terminal/output.ts";
import { parseList, parseNumber } from "./arguments.ts";
import type { Values } from "./define-command.ts";
import { readJsonObject } from "./read-json.ts";

/** The value of an option that removes what was set. */
const NONE = "none";
/** The effort that the provider chooses. */
const DEFAULT = "default";
const ON_OFF = ["on", "off"];

/** Options that set the fields of an agent. */
export const AGENT_FIELDS = {
  description: { type: "string", description: "What it is for" },
  "system-prompt": { type: "string", valueHint: "text", description: "System prompt" },
  provider: { type: "string", valueHint: "name", description: "Provider, if the model name does not imply it" },
  "fallback-model": {
    type: "string",
    valueHint: "model",
    repeatable: true,
    description: "Called when the model fails; repeat it for several in their order; none: no fallback",
  },
  temperature: { type: "string", valueHint: "0-2", description: "0 is deterministic; none: the provider's default" },
  "max-tokens": { type: "string", valueHint: "n", description: "Maximum tokens of a reply" },
  effort: { type: "enum", options: [...REASONING_EFFORTS, DEFAULT], description: "How much the model thinks first" },
  "show-reasoning": { type: "enum", options: ON_OFF, description: "Whether streams contain the reasoning" },
  "output-schema": {
    type: "string",
    valueHint: "file",
    description: "JSON Schema of its results, from a file; - reads standard input; none: any text",
  },
  "prompt-caching": { type: "enum", options: ON_OFF, description: "Whether providers may cache prompts" },
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
  const fallbacks = parseList(args["fallback-model"]);
  const given = {
    description: args.description,
    system_prompt: args["system-prompt"],
    provider: args.provider,
    fallback_models: fallbacks?.join() === NONE ? [] : fallbacks,
    temperature: args.temperature === NONE ? null : parseNumber("temperature", args.temperature),
    max_tokens: parseNumber("max-tokens", args["max-tokens"]),
    reasoning: reasoningOf(args),
    output_schema: await schemaOf(args["output-schema"], out),
    prompt_caching: isOn(args["prompt-caching"]),
    tools: parseList(args.tools),
    tags: parseList(args.tags),
  };
  const file = args.config === undefined ? {} : await readJsonObject(args.config, "the config", out);
  return { ...file, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}

function reasoningOf({ effort, "show-reasoning": show }: Values<typeof AGENT_FIELDS>): object | undefined {
  if (effort === undefined && show === undefined) return undefined;
  return {
    ...(effort !== undefined && { effort: effort === DEFAULT ? null : effort }),
    ...(show !== undefined && { show: isOn(show) }),
  };
}

async function schemaOf(file: string | undefined, out: Output): Promise<object | null | undefined> {
  if (file === undefined) return undefined;
  return file === NONE ? null : readJsonObject(file, "the output schema", out);
}

function isOn(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value === "on";
}
