import { join } from "node:path";
import type { Hono } from "hono";
import type { Database } from "#db/database.ts";
import { findProblems } from "#db/readiness.ts";
import type { Engine } from "#engine/engine.ts";
import { describeTool } from "#engine/tools/tool-registry.ts";
import { createApp } from "#http/app.ts";
import { openConsoleBuild } from "#http/console-build.ts";
import type { HttpEnv, HttpServices } from "#http/context.ts";
import type { UnreadyReason } from "#http/readiness.ts";
import { createFairLimiter } from "#lib/async/fair-limiter.ts";
import type { BuiltInTool } from "#domain/tools/built-in-tool.ts";
import { DESTINATIONS } from "#destinations/gen/registry.ts";
import { TOOLS } from "#tools/gen/registry.ts";
import type { Config } from "#config/config.ts";
import { logReadLimits, requestSettings } from "./settings.ts";
import type { Hold } from "./hold.ts";
import type { Parts } from "./parts.ts";

/** The folder where `scripts/ensure-console.mjs` puts the console's files. */
const CONSOLE_FOLDER = join(import.meta.dirname, "../../.runtime/console");

/** How a service stops, and whether it acts yet. */
export interface Stopping extends Pick<Hold, "isHeld"> {
  /** Aborted when it no longer wants new requests, which it still serves. */
  readonly draining: AbortSignal;
  /** Aborted when it ends its open streams. */
  readonly closing: AbortSignal;
}

/** Creates all surfaces. */
export function createSurfaces(parts: Parts, stopping: Stopping): Hono<HttpEnv> {
  return createApp(httpServices(parts, stopping));
}

function httpServices({ config, engine, ...parts }: Parts, { draining, closing, isHeld }: Stopping): HttpServices {
  const { queue, embedder, providers } = engine;
  return {
    ...parts,
    embedder,
    providers,
    queue,
    closing,
    isHeld,
    findUnready: () => findUnready(parts.db, { engine, draining, isHeld }),
    logReads: createFairLimiter(logReadLimits(config)),
    console: openConsoleBuild(CONSOLE_FOLDER),
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

async function findUnready(
  db: Database,
  { engine, draining, isHeld }: Omit<Stopping, "closing"> & { readonly engine: Engine },
): Promise<readonly UnreadyReason[]> {
  if (draining.aborted) return ["draining"];
  const problems = await findProblems(db, engine.probeWriter);
  return isHeld() || engine.holdsLease() ? problems : [...problems, "lease"];
}
