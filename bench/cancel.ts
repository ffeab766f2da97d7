/** Run by itself (`node bench/cancel.ts`): from the request that cancels a task to the end of the provider's connection, as the provider sees it. */
import { once } from "node:events";
import { createServer } from "node:http";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const ROUNDS = 200;
const WARM_UP = 20;
const FIRST = "first";
const SECOND = "second";

/** A call that the provider holds: who made it, and when it was aborted. */
interface HeldCall {
  readonly caller: string;
  readonly goneAt: Promise<number>;
}

const calls: ((call: HeldCall) => void)[] = [];
// In this process, so that one clock times both ends.
const provider = createServer((incoming, response) => {
  const { promise: goneAt, resolve } = Promise.withResolvers<number>();
  response.once("close", () => resolve(performance.now()));
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.flushHeaders();
  incoming.resume();
  calls.shift()?.({ caller: incoming.headers.authorization ?? "", goneAt });
});
await once(provider.listen(0, "127.0.0.1"), "listening");
const address = provider.address();
if (address === null || typeof address === "string") throw new Error("The provider has no port.");

const stage = await openStage({
  LOG_LEVEL: "warn",
  OPENAI_API_KEY: FIRST,
  OPENAI_BASE_URL: `http://127.0.0.1:${address.port}/v1`,
});
try {
  await measure(stage);
} finally {
  await stage.close();
  provider.closeAllConnections();
  provider.close();
}

async function measure({ url, addService, call, apiKey }: Stage): Promise<void> {
  const urls = [url, (await addService({ OPENAI_API_KEY: SECOND })).url] as const;
  const agent = await call("POST", "/functions/v1/api-agents", { name: "A", model: "gpt-4o" });
  const here: number[] = [];
  const there: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS * 2; round++) {
    const { promise, resolve } = Promise.withResolvers<HeldCall>();
    calls.push(resolve);
    const task = await call("POST", "/functions/v1/api-tasks", { title: "Held", assigned_agent_id: agent.id });
    const { caller, goneAt } = await promise;
    const isSame = round % 2 === 0;
    const target = caller.includes(FIRST) === isSame ? urls[0] : urls[1];
    const sentAt = performance.now();
    const answer = await fetch(`${target}/functions/v1/api-tasks?id=${task.id}`, {
      method: "PATCH",
      headers: { "X-API-Key": apiKey, "Content-Type": "application/json" },
      body: JSON.stringify({ status: "cancelled" }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const took = (await goneAt) - sentAt;
    if (round >= 0) (isSame ? here : there).push(took);
  }
  const line = (times: readonly number[]) =>
    `p50 ${percentile(times, 50).toFixed(1)}, p99 ${percentile(times, 99).toFixed(1)}, most ${Math.max(...times).toFixed(1)}`;
  console.log(`From the cancel to the provider's closed connection, ms: same process ${line(here)}`);
  console.log(`another process ${line(there)}`);
}
