import type { ToolSpec } from "#domain/models/model-call.ts";
import { jsonSchemaOf } from "#lib/json-schema/json-schema-of.ts";
import type { Tool } from "#tools/define-tool.ts";
import type { ToolRegistry, ToolUser } from "../run/ports.ts";
import type { EngineServices, Run } from "../run/run-context.ts";

/** A source of tools outside this program. */
export interface ToolSource {
  /** The prefix of these tools' names in an agent's `tools`. */
  readonly prefix: string;
  /** The current tools among these for a run, each with its name as `listedAs`. */
  find(run: ToolUser, names: readonly string[]): Promise<readonly Tool[]>;
}

/** Creates a registry of the built-in tools and other sources. */
export function createToolRegistry(tools: readonly Tool[], sources: readonly ToolSource[]): ToolRegistry {
  const builtIn = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    async offered(run, names) {
      const found = await Promise.all(
        sources.map(async ({ prefix, find }) => {
          const asked = names.filter((name) => name.startsWith(prefix));
          return asked.length === 0 ? [] : find(run, asked);
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

/** The tools of a run's agent. */
export function ownTools({ tools }: EngineServices, { job, key }: Run): Promise<readonly Tool[]> {
  return tools.offered({ workspaceId: job.workspaceId, subjectId: key.subjectId }, job.agent.tools);
}

/** Built-in tools do not change. */
const described = new WeakMap<Tool, ToolSpec>();

/** A tool's description for a model. */
export function describeTool(tool: Tool): ToolSpec {
  const known = described.get(tool);
  if (known !== undefined) return known;
  const { name, description, input, inputSchema = jsonSchemaOf(input) } = tool;
  const spec = { name, description, inputSchema };
  described.set(tool, spec);
  return spec;
}
