import { join } from "node:path";
import type { Hono } from "hono";
import type { Database } from "#db/database.ts";
import { findProblems } from "#db/readiness.ts";
import type { Engine } from "#engine/engine.ts";
import { createApp } from "#http/app.ts";
import { openConsoleBuild } from "#http/console-build.ts";
import type { HttpEnv, HttpServices } from "#http/context.ts";
import type { UnreadyReason } from "#http/readiness.ts";
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

function httpServices(parts: Parts, { draining, closing, isHeld }: Stopping): HttpServices {
  const { engine } = parts;
  return {
    ...parts.operations(),
    closing,
    isHeld,
    findUnready: () => findUnready(parts.db, { engine, draining, isHeld }),
    console: openConsoleBuild(CONSOLE_FOLDER),
  };
}

async function findUnready(
  db: Database,
  { engine, draining, isHeld }: Omit<Stopping, "closing"> & { readonly engine: Engine },
): Promise<readonly UnreadyReason[]> {
  if (draining.aborted) return ["draining"];
  const problems = await findProblems(db, engine.probeWriter);
  return isHeld() || engine.holdsLease() ? problems : [...problems, "lease"];
}
