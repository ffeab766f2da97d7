/** What a service costs that has nothing to do: CPU of the service and its database, as a share of one core. */
import { setTimeout as sleep } from "node:timers/promises";
import { treeCpuMs } from "./lib/cpu.ts";
import type { Stage } from "./lib/stage.ts";

const SECONDS = 20;

/** Shares of one core, in percent. */
export interface IdleRound {
  readonly service: number;
  readonly database: number;
}

/** Watches an idle service for a while. */
export async function measureIdle(stage: Stage): Promise<IdleRound> {
  const cpu = () => ({ service: treeCpuMs(stage.servicePid), database: treeCpuMs(stage.postgresPid) });
  await sleep(2_000);
  const before = cpu();
  await sleep(SECONDS * 1_000);
  const after = cpu();
  const share = (ms: number) => (ms / (SECONDS * 1_000)) * 100;
  return { service: share(after.service - before.service), database: share(after.database - before.database) };
}
