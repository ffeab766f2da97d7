import type { BuiltInTool, CustomTool, McpTool } from "../../tools/records.ts";

/** A tool that an agent can list. */
export interface ToolChoice {
  /** What the agent's `tools` hold. */
  readonly name: string;
  readonly label: string;
  /** Why it cannot be used now; null when it can. */
  readonly missing: string | null;
}

/** The tools that can be chosen, by where they are from; groups without any are left out. */
export function toolChoices(
  builtIn: readonly BuiltInTool[],
  custom: readonly CustomTool[],
  mcp: readonly McpTool[],
): readonly { readonly label: string; readonly tools: readonly ToolChoice[] }[] {
  return [
    { label: "Built in", tools: builtIn.map(({ name, missing }) => ({ name, label: name, missing })) },
    { label: "Custom", tools: custom.map(({ id, name }) => ({ name: `custom:${id}`, label: name, missing: null })) },
    { label: "MCP servers", tools: mcp.map((name) => ({ name, label: name, missing: null })) },
  ].filter(({ tools }) => tools.length > 0);
}
