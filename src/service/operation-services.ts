import type { Engine } from "#engine/engine.ts";
import { describeTool } from "#engine/tools/tool-registry.ts";
import { createFairLimiter } from "#lib/async/fair-limiter.ts";
import type { BuiltInTool } from "#domain/tools/built-in-tool.ts";
import { DESTINATIONS } from "#destinations/gen/registry.ts";
import { TOOLS } from "#tools/gen/registry.ts";
import type { Config } from "#config/config.ts";
import { logReadLimits, requestSettings } from "./settings.ts";

/** Adds to the parts of a service what else its operations use. */
export function operationServices<Given extends { readonly config: Config; readonly engine: Engine }>(parts: Given) {
  const { config, engine } = parts;
  const { queue, embedder, providers } = engine;
  return {
    ...parts,
    embedder,
    providers,
    queue,
    logReads: createFairLimiter(logReadLimits(config)),
    toolNames: TOOLS.map(({ name }) => name),
    builtInTools: builtInTools(config),
    destinations: DESTINATIONS,
    ...requestSettings(config),
  };
}

function builtInTools({ toolSettings }: Config): readonly BuiltInTool[] {
  return TOOLS.map((tool) => ({
    ...describeTool(tool),
    obstacle: tool.findObstacle?.(toolSettings[tool.name] ?? {}),
  }));
}
