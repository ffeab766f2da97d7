/**
 * How long a word is in progress from the provider to the reader of the stream, with many streams at once. Their tasks
 * all start within one pause between words, which keeps the processor busy for a while: the words of that while are
 * told apart from those when all are in progress.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const WORDS = 150;
/** Words of each stream until the starting of all is over. */
const AT_START = 50;
const PAUSE_MS = 20;

/** Delays of words, in milliseconds. */
export interface Delays {
  readonly p50: number;
  readonly p99: number;
}

/** What a round measured. */
export interface StreamRound {
  /** While the tasks start. */
  readonly starting: Delays;
  /** When all are in progress. */
  readonly underWay: Delays;
  /** Of a reader that asks the provider itself: what the machine alone adds. */
  readonly direct: Delays;
}

/** Opens streams of tasks that speak at the same pace, and times each word. */
export async function measureStreams(stage: Stage, streams: number): Promise<StreamRound> {
  const agent = await stage.call("POST", "/functions/v1/api-agents", { name: "Bench", model: "gpt-4o" });
  const direct = await allOf(streams, (index) => readProvider(stage, index));
  const ours = await allOf(streams, (index) => readTask(stage, agent.id, index));
  return {
    starting: spread(ours.flatMap((words) => words.slice(0, AT_START))),
    underWay: spread(ours.flatMap((words) => words.slice(AT_START))),
    direct: spread(direct.flat()),
  };
}

function spread(delays: readonly number[]): Delays {
  return { p50: percentile(delays, 50), p99: percentile(delays, 99) };
}

async function allOf(streams: number, read: (index: number) => Promise<number[]>): Promise<number[][]> {
  return Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      // Real streams do not beat in step.
      await sleep((index * PAUSE_MS) / streams);
      return read(index);
    }),
  );
}

async function readTask(stage: Stage, agentId: string, index: number): Promise<number[]> {
  const task = await stage.call("POST", "/functions/v1/api-tasks", {
    title: "Bench",
    description: prompt(index),
    assigned_agent_id: agentId,
  });
  const response = await fetch(`${stage.url}/ag-ui/${agentId}/sse`, {
    method: "POST",
    headers: { Authorization: `Bearer ${stage.aguiKey}` },
    body: JSON.stringify({ threadId: task.id }),
  });
  return delaysOf(response, /"delta":"([\d.]+) "/g);
}

async function readProvider(stage: Stage, index: number): Promise<number[]> {
  const body = JSON.stringify({ messages: [{ content: prompt(index) }] });
  return delaysOf(await fetch(stage.providerUrl, { method: "POST", body }), /"content":"([\d.]+) "/g);
}

function prompt(index: number): string {
  return `bench-s${index} ${WORDS}x${PAUSE_MS}`;
}

/** Each word is the time at which the provider sent it. */
async function delaysOf(response: Response, word: RegExp): Promise<number[]> {
  const delays: number[] = [];
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const arrived = performance.timeOrigin + performance.now();
    for (const [, sent] of decoder.decode(bytes).matchAll(word)) delays.push(arrived - Number(sent));
  }
  return delays;
}

if (import.meta.filename === process.argv[1]) {
  const stage = await openStage();
  try {
    await measureStreams(stage, 5);
    console.log(await measureStreams(stage, 20));
  } finally {
    await stage.close();
  }
}
