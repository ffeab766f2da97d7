/**
 * How long runs stand still whose process is killed with SIGKILL in the middle of a model call: until the provider is
 * asked again, by a process that is started in its place at once, or by another that was there all the time.
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { startHoldingProvider } from "./lib/holding-provider.ts";
import type { HeldCall, HoldingProvider } from "./lib/holding-provider.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { AddedService, Stage } from "./lib/stage.ts";

const RUNS = 32;
const ROUNDS = 5;
const VICTIM = { OPENAI_API_KEY: "victim" };
const SURVIVOR = { OPENAI_API_KEY: "survivor" };

const record = z.object({ id: z.string() });

/** From the kill to the provider's receipt of the calls that are made again, in milliseconds. */
export interface Recovery {
  readonly p50: number;
  readonly most: number;
}

/** Opens its own stage, kills processes on it, and measures. */
export async function measureRecovery(): Promise<{ readonly restart: Recovery; readonly takeover: Recovery }> {
  const provider = await startHoldingProvider();
  const stage = await openStage({ LOG_LEVEL: "error", OPENAI_BASE_URL: provider.baseUrl });
  try {
    // The processes that count come and go.
    process.kill(stage.servicePid, "SIGKILL");
    const restart = await measureRounds({ stage, provider, isAlone: true });
    const takeover = await measureRounds({ stage, provider, isAlone: false });
    return { restart, takeover };
  } finally {
    await stage.close();
    provider.close();
  }
}

interface Setting {
  readonly stage: Stage;
  readonly provider: HoldingProvider;
  /** Whether no other process can take over, so that the process has to be started again. */
  readonly isAlone: boolean;
}

async function measureRounds(setting: Setting): Promise<Recovery> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(...(await measureRound(setting)));
  return { p50: percentile(times, 50), most: Math.max(...times) };
}

async function measureRound({ stage, provider, isAlone }: Setting): Promise<readonly number[]> {
  const victim = await stage.addService(VICTIM);
  const call = callsTo(victim, stage.apiKey);
  const agent = await call("POST", "/api-agents", { name: "A", model: "gpt-4o" });
  const titles = Array.from({ length: RUNS }, (_, index) => `Held ${provider.calls.length}.${index}.`);
  await Promise.all(titles.map((title) => call("POST", "/api-tasks", { title, assigned_agent_id: agent.id })));
  const callsOf = (title: string) => provider.calls.filter(({ body }) => body.includes(title));
  await until(() => titles.every((title) => callsOf(title).length === 1));
  const survivor = isAlone ? undefined : await stage.addService(SURVIVOR);

  const killedAt = performance.now();
  await end(victim, "SIGKILL");
  const successor = survivor ?? (await stage.addService(SURVIVOR));
  await until(() => titles.every((title) => callsOf(title).length === 2));
  const again = titles.flatMap((title): readonly HeldCall[] => callsOf(title).slice(1));
  await callsTo(successor, stage.apiKey)("DELETE", `/api-agents?id=${agent.id}`);
  await end(successor, "SIGTERM");
  return again.map(({ at }) => at - killedAt);
}

function callsTo({ url }: AddedService, apiKey: string) {
  return async (method: string, path: string, body?: object): Promise<{ readonly id: string }> => {
    const response = await fetch(`${url}/functions/v1${path}`, {
      method,
      headers: { "X-API-Key": apiKey, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? { id: "" } : record.parse(await response.json());
  };
}

async function end({ process: child }: AddedService, signal: NodeJS.Signals): Promise<void> {
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

/** Writes what was measured as rows of a table. */
export function recoveryRows({ restart, takeover }: Awaited<ReturnType<typeof measureRecovery>>): string {
  const cells = ({ p50, most }: Recovery) => `${(p50 / 1_000).toFixed(2)} s | ${(most / 1_000).toFixed(2)} s |`;
  return [
    `| from a kill until ${RUNS} runs continue | p50 | most |`,
    "|--|--:|--:|",
    `| restarted immediately | ${cells(restart)}`,
    `| taken over by another process | ${cells(takeover)}`,
  ].join("\n");
}

if (import.meta.filename === process.argv[1]) console.log(recoveryRows(await measureRecovery()));
