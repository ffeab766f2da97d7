import { useBuiltInTools, useCustomTools, useMcpTools } from "../../tools/queries.ts";

/** A tool that an agent can list. */
export interface ToolChoice {
  /** What the agent's `tools` hold. */
  readonly name: string;
  readonly label: string;
  /** Why it cannot be used now; null when it can. */
  readonly missing: string | null;
}

/** Tools by where they are from. */
export interface ToolGroup {
  readonly label: string;
  readonly tools: readonly ToolChoice[];
}

/** The tools that can be chosen; groups without any are left out. */
export function useToolChoices(): readonly ToolGroup[] {
  const builtIn = useBuiltInTools().data ?? [];
  const custom = useCustomTools().data ?? [];
  const mcp = useMcpTools().data ?? [];
  return [
    { label: "Built in", tools: builtIn.map(({ name, missing }) => ({ name, label: name, missing })) },
    { label: "Custom", tools: custom.map(({ id, name }) => ({ name: `custom:${id}`, label: name, missing: null })) },
    { label: "MCP servers", tools: mcp.map((name) => ({ name, label: name, missing: null })) },
  ].filter(({ tools }) => tools.length > 0);
}
