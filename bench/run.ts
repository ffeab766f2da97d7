/** Runs every benchmark on one machine, one after another, and prints the tables of results.md. */
import { measureIdle } from "./idle.ts";
import { openStage } from "./lib/stage.ts";
import { measureLists } from "./lists.ts";
import { measureStreams } from "./streams.ts";
import { measureTasks, taskRow } from "./tasks.ts";

const stage = await openStage();
try {
  const idle = await measureIdle(stage);
  console.log(`Idle: service ${idle.service.toFixed(1)} %, database ${idle.database.toFixed(1)} % of a core\n`);

  console.log(
    "| at once | runs | runs/s | end p50 / p99 ms | start p50 / p99 ms | service CPU | database CPU | RSS MiB |",
  );
  console.log("|--:|--:|--:|--:|--:|--:|--:|--:|");
  await measureTasks(stage, 16, 2_000);
  const rounds = [
    [1, 500],
    [16, 10_000],
    [64, 3_000],
  ] as const;
  for (const [concurrency, runs] of rounds) console.log(taskRow(await measureTasks(stage, concurrency, runs)));

  const list = await measureLists(stage);
  console.log(`List of 50 agents, ${list.bytes} bytes, ms of CPU per request: bare Hono ${list.bare.toFixed(2)},`);
  console.log(
    `service ${list.service.toFixed(2)} (${(list.service / list.bare).toFixed(1)} times), database ${list.database.toFixed(2)}\n`,
  );

  await measureStreams(stage, 5);
  const streams = await measureStreams(stage, 20);
  console.log(
    `20 streams, ms from vendor to reader, p50 / p99: ${streams.p50.toFixed(1)} / ${streams.p99.toFixed(1)};`,
  );
  console.log(`a reader of the vendor itself: ${streams.directP50.toFixed(1)} / ${streams.directP99.toFixed(1)}\n`);
} finally {
  await stage.close();
}
