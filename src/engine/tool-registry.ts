import { z } from "zod";
import type { ToolSpec } from "#domain/model-call.ts";
import type { Tool } from "#tools/define-tool.ts";

/** The tools that agents can be given. */
export interface ToolRegistry {
  /** The tools that an agent with these names gets; names that are not known here give none. */
  offered(names: readonly string[]): readonly Tool[];
  /** The same tools as they are described to a model. */
  specs(names: readonly string[]): readonly ToolSpec[];
  /** One of the tools that an agent with these names gets. */
  find(names: readonly string[], name: string): Tool | undefined;
}

/** Makes a registry of these tools. */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const specs = new Map(tools.map((tool) => [tool.name, describeTool(tool)]));
  return {
    offered: (names) => names.flatMap((name) => byName.get(name) ?? []),
    specs: (names) => names.flatMap((name) => specs.get(name) ?? []),
    find: (names, name) => (names.includes(name) ? byName.get(name) : undefined),
  };
}

/** A tool as it is described to a model. */
export function describeTool({ name, description, input }: Tool): ToolSpec {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { target: "draft-7", io: "input" });
  return { name, description, inputSchema };
}
