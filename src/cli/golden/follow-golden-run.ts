import { setTimeout as sleep } from "node:timers/promises";
import type { MusterClient, Schemas } from "#client/index.ts";
import type { Output } from "../terminal/output.ts";

const PAUSE_MS = 500;

/** Waits until all cases of a golden run have ended; on a terminal, shows how many have. */
export async function followGoldenRun(
  muster: MusterClient,
  out: Output,
  started: Schemas["GoldenRunDetails"],
): Promise<Schemas["GoldenRunDetails"]> {
  let now = started;
  while (now.status === "running") {
    out.status(`${now.cases - now.running} of ${now.cases} cases have ended`);
    await sleep(PAUSE_MS);
    now = await muster.getGoldenRun({ id: started.id });
  }
  out.status(undefined);
  return now;
}
