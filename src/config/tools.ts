import type { z } from "zod";
import { plainMessage } from "#domain/plain-messages.ts";
import type { ToolSettings } from "#tools/define-tool.ts";
import { TOOLS } from "#tools/gen/registry.ts";

const declared = TOOLS.flatMap(({ name, settings }) => (settings === undefined ? [] : [{ name, settings }]));

/** The settings of each tool that has some, by the heading of their group. */
export const TOOL_SETTING_GROUPS: Readonly<Record<string, z.ZodObject>> = Object.fromEntries(
  declared.map(({ name, settings }) => [`The tool ${name}`, settings]),
);

/** Reads the settings of all tools, and the issues of invalid ones. */
export function readToolSettings(env: NodeJS.ProcessEnv): {
  readonly settings: ToolSettings;
  readonly issues: readonly z.core.$ZodIssue[];
} {
  const results = declared.map(({ name, settings }) => ({
    name,
    result: settings.safeParse(env, { error: plainMessage }),
  }));
  return {
    settings: Object.fromEntries(results.map(({ name, result }) => [name, result.data ?? {}])),
    issues: results.flatMap(({ result }) => result.error?.issues ?? []),
  };
}
