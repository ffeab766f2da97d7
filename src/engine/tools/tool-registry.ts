import type { ToolSpec } from "#domain/models/model-call.ts";
import { jsonSchemaOf } from "#lib/json-schema/json-schema-of.ts";
import type { Tool } from "#tools/define-tool.ts";

/** Where tools come from that this program does not have itself. */
export interface ToolSource {
  /** How the names of these tools begin in an agent's `tools`. */
  readonly prefix: string;
  /** Those of these tools that the workspace has now, each with its name as `listedAs`. */
  find(workspaceId: string, names: readonly string[]): Promise<readonly Tool[]>;
}

/** The tools that agents can be given. */
export interface ToolRegistry {
  /**
   * The tools that an agent with these names gets, in their order. A name that means nothing any more gives none, and
   * of several tools that the model would call by the same name the first counts.
   */
  offered(workspaceId: string, names: readonly string[]): Promise<readonly Tool[]>;
}

/** Makes a registry of the tools of this program and of other sources. */
export function createToolRegistry(tools: readonly Tool[], sources: readonly ToolSource[]): ToolRegistry {
  const builtIn = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    async offered(workspaceId, names) {
      const found = await Promise.all(
        sources.map(async ({ prefix, find }) => {
          const asked = names.filter((name) => name.startsWith(prefix));
          return asked.length === 0 ? [] : find(workspaceId, asked);
        }),
      );
      const listed = new Map([...builtIn, ...found.flat().map((tool) => [tool.listedAs ?? tool.name, tool] as const)]);
      const offered = new Map<string, Tool>();
      for (const name of names) {
        const tool = listed.get(name);
        if (tool !== undefined && !offered.has(tool.name)) offered.set(tool.name, tool);
      }
      return [...offered.values()];
    },
  };
}

/** The tools of this program do not change. */
const described = new WeakMap<Tool, ToolSpec>();

/** A tool as it is described to a model. */
export function describeTool(tool: Tool): ToolSpec {
  const known = described.get(tool);
  if (known !== undefined) return known;
  const { name, description, input, inputSchema = jsonSchemaOf(input) } = tool;
  const spec = { name, description, inputSchema };
  described.set(tool, spec);
  return spec;
}
