import { expect } from "vitest";
import { z } from "zod";
import { environmentOf, runMuster } from "./muster.ts";
import type { Ended, MusterOptions } from "./muster.ts";
import { useSharedService } from "./shared-service.ts";
import type { SharedService } from "./shared-service.ts";

/** A record that a command prints, with the fields that tests read. */
export const printedRecord = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  status: z.string().optional(),
});

/** The command line of a workspace in the shared service, which has an agent `Writer`. */
export interface TestCli {
  readonly service: SharedService;
  /** Runs a command to its end. */
  muster(...args: readonly string[]): Promise<Ended>;
  musterWith(options: MusterOptions, ...args: readonly string[]): Promise<Ended>;
  /** Runs a command that must succeed; returns its standard output. */
  succeed(...args: readonly string[]): Promise<string>;
  /** Runs one that prints a record. */
  readRecord(...args: readonly string[]): Promise<z.output<typeof printedRecord>>;
}

/** Opens the workspace. */
export async function openCli(): Promise<TestCli> {
  const service = await useSharedService();
  const musterWith: TestCli["musterWith"] = ({ env, ...options }, ...args) =>
    runMuster(args, { ...options, env: { ...environmentOf(service), ...env } });
  const muster: TestCli["muster"] = (...args) => musterWith({}, ...args);
  const succeed: TestCli["succeed"] = async (...args) => {
    const { code, stdout, stderr } = await muster(...args);
    expect({ args, code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  await succeed("agents", "create", "--name", "Writer", "--model", "demo", "--tools", "current_time");
  return {
    service,
    muster,
    musterWith,
    succeed,
    readRecord: async (...args) => printedRecord.parse(JSON.parse(await succeed(...args, "--json"))),
  };
}
