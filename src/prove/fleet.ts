import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ScratchDatabase } from "./scratch-database.ts";
import { startServiceProcess } from "./service-process.ts";
import type { ServiceProcess } from "./service-process.ts";
import { openDatabaseLine } from "./wire/database-line.ts";

const POLL_MS = 20;

/** Several processes of this very program on one database; each that ends is started again, as by a supervisor. */
export interface Fleet {
  up(): readonly ServiceProcess[];
  /** Ends a process as `kill -9` does, and waits until it has ended. */
  kill(service: ServiceProcess): Promise<void>;
  /** The names of the statements with which the processes write. */
  readonly writes: ReadonlySet<string>;
  /** Of each process that ended by itself: its name, and what it wrote last. */
  readonly collapsed: readonly string[];
  /** Waits until at least so many are up; all by default. */
  settled(count?: number): Promise<void>;
  close(): Promise<void>;
}

/** What the processes get. */
export interface FleetOptions {
  readonly database: ScratchDatabase;
  readonly size: number;
  /** The settings of the process of a name. */
  readonly settings: (name: string) => Readonly<Record<string, string>>;
}

/** Starts the processes: the first one alone, because it creates the schema. */
export async function startFleet({ database, size, settings }: FleetOptions): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), "muster-prove-data-"));
  const writes = new Set<string>();
  const collapsed: string[] = [];
  const up = new Map<number, ServiceProcess>();
  const places: Promise<void>[] = [];
  let count = 0;
  let isClosing = false;

  async function start(place: number): Promise<ServiceProcess | undefined> {
    const name = `process-${place}.${count++}`;
    const line = await openDatabaseLine(database.server, writes);
    const env = { ...settings(name), PORT: "0", DATABASE_URL: database.urlAt(line.port), MUSTER_DATA: folder };
    return startServiceProcess({ name, folder, line, env });
  }

  /** Keeps a process in a place until the fleet closes. */
  async function keep(place: number): Promise<void> {
    while (!isClosing) {
      const service = await start(place);
      if (service === undefined) continue;
      up.set(place, service);
      if (isClosing) void service.stop();
      const { isWanted, lastWords } = await service.ended;
      up.delete(place);
      if (!isWanted) collapsed.push(`${service.name} ended by itself: ${lastWords}`);
    }
  }

  async function settled(wanted = size): Promise<void> {
    while (up.size < wanted) await sleep(POLL_MS);
  }

  for (let place = 0; place < size; place++) {
    places.push(keep(place));
    if (place === 0) await settled(1);
  }
  await settled();
  return {
    up: () => [...up.values()],
    async kill(service) {
      service.kill();
      await service.ended;
    },
    writes,
    collapsed,
    settled,
    async close() {
      isClosing = true;
      await Promise.all([...up.values()].map((service) => service.stop()));
      await Promise.all(places);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
