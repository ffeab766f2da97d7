import { describe, expect } from "vitest";
import { auditCalls } from "../chaos/audit-calls.ts";
import { createDice } from "#lib/dice.ts";
import { startFleet } from "../chaos/fleet.ts";
import type { Fleet } from "../chaos/fleet.ts";
import { createTool } from "../support/custom-tools.ts";
import { eventually } from "../support/eventually.ts";
import { startCluster } from "../support/high-availability/cluster.ts";
import type { Cluster } from "../support/high-availability/cluster.ts";
import { FAULTS } from "../support/high-availability/faults.ts";
import type { Fault } from "../support/high-availability/faults.ts";
import { startLoad } from "../support/high-availability/load.ts";
import { unpackPreviousVersion } from "../support/high-availability/previous-version.ts";
import type { PreviousVersion } from "../support/high-availability/previous-version.ts";
import { findPrograms } from "../support/high-availability/programs.ts";
import type { Programs } from "../support/high-availability/programs.ts";
import { asTable } from "../support/high-availability/table.ts";
import type { Row } from "../support/high-availability/table.ts";
import { TOOL, startVendors } from "../support/high-availability/vendors.ts";
import type { Vendors } from "../support/high-availability/vendors.ts";
import { openAiAgent } from "../support/runs.ts";
import { verifies } from "../support/verifies.ts";

const PROCESSES = 3;
const programs = findPrograms();
if (programs === undefined)
  console.info("high availability: skipped, because postgresql, haproxy and pgbouncer cannot be installed here");

describe.skipIf(programs === undefined)("a highly available database", () => {
  verifies(
    ["engine.high-availability.nothing-lost", "engine.high-availability.upgrade"],
    "loses no run, step or tool call, whichever of its parts fails",
    async () => {
      const undo: (() => unknown)[] = [];
      try {
        const rows = programs === undefined ? [] : await tryFaults(programs, undo);
        console.info(`high availability:\n${asTable(rows)}`);
        expect(rows.flatMap(({ found }) => found)).toEqual([]);
        expect(rows.map(({ repeatedTools }) => repeatedTools)).toEqual(rows.map(() => 0));
      } finally {
        for (const step of undo.toReversed()) await step();
      }
    },
    480_000,
  );
});

/** What takes part. */
interface Scene {
  readonly cluster: Cluster;
  readonly vendors: Vendors;
  readonly fleet: Fleet;
  readonly agentId: string;
}

async function tryFaults(installed: Programs, undo: (() => unknown)[]): Promise<Row[]> {
  const cluster = await startCluster(installed);
  undo.push(cluster.close);
  const vendors = await startVendors();
  undo.push(vendors.close);
  const previous = await unpackPreviousVersion();
  undo.push(() => previous?.remove());
  let isOld = true;
  const fleet = await startFleet({
    databaseUrl: cluster.env.DATABASE_DIRECT_URL,
    processes: PROCESSES,
    env: { ...cluster.env, ...vendors.env },
    program: () => (isOld ? previous?.main : undefined),
  });
  undo.push(fleet.stop);
  isOld = false;
  const scene = { cluster, vendors, fleet, agentId: await hireAgent(fleet, vendors) };
  const faults = [upgrade(fleet, previous), ...FAULTS];
  const rows = [];
  for (const fault of faults) {
    if (fault.isPossible?.(cluster) === false)
      console.info(`high availability: skipped, not possible here: ${fault.name}`);
    else rows.push(await tryFault(scene, fault));
  }
  return rows;
}

function upgrade(fleet: Fleet, previous: PreviousVersion | undefined): Fault {
  return {
    name:
      previous === undefined
        ? "rolling restart (no version before can be upgraded)"
        : "rolling upgrade from the version before",
    async inject() {
      for (const place of fleet.up()) await fleet.restart(place);
    },
  };
}

async function hireAgent(fleet: Fleet, vendors: Vendors): Promise<string> {
  const service = fleet.any(createDice("agent"));
  if (service === undefined) throw new Error("No process is up.");
  const tool = await createTool(service, {
    name: TOOL,
    url: vendors.toolUrl,
    parameters: { type: "object", properties: { call: { type: "string" } }, required: ["call"] },
  });
  return openAiAgent(service, { tools: [`custom:${tool}`] });
}

async function tryFault({ cluster, vendors, fleet, agentId }: Scene, fault: Fault): Promise<Row> {
  const repeatedTools = vendors.repeatedTools();
  const load = startLoad({ fleet, agentId, dice: createDice(fault.name) });
  await load.nextRun();
  const began = performance.now();
  await fault.inject(cluster);
  const injected = performance.now();
  await load.nextRun();
  const wentOn = performance.now();
  for (const { url } of fleet.all()) await eventually(`${url} is ready`, () => isReady(url));
  await fault.repair?.(cluster);
  await load.nextRun();
  const { runs, lost, resumed } = await load.stop();
  const repeated = await auditCalls(cluster.env.DATABASE_DIRECT_URL, vendors.calls);
  return {
    fault: fault.name,
    runs,
    lost: lost.length,
    repeatedSteps: repeated.length,
    repeatedTools: vendors.repeatedTools() - repeatedTools,
    resumed,
    faultSeconds: (injected - began) / 1_000,
    secondsAfter: (wentOn - injected) / 1_000,
    found: [...lost, ...repeated, ...strangeIn(fleet)].map((what) => `${fault.name}: ${what}`),
  };
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/readyz`)).ok;
}

/** What no fault of the database may do to a process: end it, or have it print something else than its log. */
function strangeIn({ collapsed, logs }: Fleet): string[] {
  const printed = [...logs()].flatMap(([name, log]) =>
    log.split("\n").flatMap((line) => (line === "" || line.startsWith("{") ? [] : [`${name} printed ${line}`])),
  );
  return [...collapsed.map((name) => `${name} ended by itself`), ...printed];
}
