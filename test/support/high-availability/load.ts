import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Dice } from "#lib/dice.ts";
import type { Fleet } from "../../chaos/fleet.ts";
import { sendUntilAnswered } from "../../chaos/send-until-answered.ts";
import { apiOf } from "../api.ts";
import type { Answer, Api } from "../api.ts";
import { resumingReader } from "../clients/resuming-reader.ts";
import { hasEnded, readToEnd } from "../sse-client.ts";
import type { ReceivedEvent } from "../sse-client.ts";

const CLIENTS = 10;
const PAUSE_MS = 50;
/** What has not ended so long after a fault is lost. */
const CALM_MS = 60_000;

const record = z.looseObject({ id: z.uuid(), status: z.string(), error: z.string().nullable() });

/** What the load needs. */
export interface LoadScene {
  readonly fleet: Fleet;
  readonly agentId: string;
  readonly dice: Dice;
}

/** What came of the runs of a load. */
export interface LoadReport {
  readonly runs: number;
  /** The runs that were accepted and did not end well, or whose readers got something else than the log. */
  readonly lost: readonly string[];
  /** How often a reader connected again. */
  readonly resumed: number;
}

/** People who give one task after another and follow its stream. */
export interface Load {
  /** Waits until a run that did not exist at the call has completed. */
  nextRun(): Promise<void>;
  /** Ends it when all runs have ended. */
  stop(): Promise<LoadReport>;
}

let numbers = 0;

/** Starts the load. */
export function startLoad({ fleet, agentId, dice }: LoadScene): Load {
  const giveUp = new AbortController();
  const scene = { fleet, givenUp: giveUp.signal };
  const lost: string[] = [];
  let [runs, resumed, isOver] = [0, 0, false];

  const ask = (request: (api: Api) => Promise<Answer>) =>
    sendUntilAnswered(scene, dice, (service) => request(apiOf(service, service.keys.api)));

  /** Runs a task; returns what is wrong with it. */
  async function runOne(): Promise<string | undefined> {
    const title = `run ${(numbers += 1)}`;
    const body = { title, assigned_agent_id: agentId };
    const create = () => ask((api) => api.post("/api-tasks", body, { "idempotency-key": title }));
    let created = await create();
    // The same request is still in progress at a process that waits for the database.
    while (created.status === 409) {
      await sleep(PAUSE_MS);
      created = await create();
    }
    const { id } = record.parse(created.body);
    const received = await follow(id);
    const { status, error } = record.parse((await ask((api) => api.get(`/api-tasks?id=${id}`))).body);
    if (status !== "completed") return `${title} is ${status}: ${error}`;
    return isDeepStrictEqual(received.map(asSent), (await replay(id)).map(asSent))
      ? undefined
      : `${title}: its reader missed something`;
  }

  /** Reads a stream to its end; connects to any process whenever the connection ends. */
  async function follow(taskId: string): Promise<readonly ReceivedEvent[]> {
    const reader = resumingReader(agentId, taskId);
    const leave = () => void reader.cut();
    scene.givenUp.addEventListener("abort", leave);
    for (let connections = 0; !hasEnded(reader.events());) {
      scene.givenUp.throwIfAborted();
      const service = fleet.any(dice);
      const isConnected = service !== undefined && (await succeeds(reader.connect(service)));
      if (isConnected && (connections += 1) > 1) resumed += 1;
      if (!isConnected || !(await succeeds(reader.until(hasEnded)))) await sleep(PAUSE_MS);
    }
    await reader.cut();
    scene.givenUp.removeEventListener("abort", leave);
    return reader.events();
  }

  async function replay(taskId: string): Promise<readonly ReceivedEvent[]> {
    for (;;) {
      scene.givenUp.throwIfAborted();
      const service = fleet.any(dice);
      const events = service && (await readToEnd(service, { agentId, taskId }).catch(() => undefined));
      // A process that is being restarted ends its streams before their end.
      if (events !== undefined && hasEnded(events)) return events;
      await sleep(PAUSE_MS);
    }
  }

  async function runAndCount(): Promise<void> {
    const wrong = await runOne().catch(String);
    runs += 1;
    if (wrong !== undefined) lost.push(wrong);
  }

  async function work(): Promise<void> {
    while (!isOver && !giveUp.signal.aborted) await runAndCount();
  }

  async function inTime(done: Promise<unknown>): Promise<void> {
    const calm = setTimeout(() => giveUp.abort(new Error("It has not ended in time.")), CALM_MS);
    await done;
    clearTimeout(calm);
  }
  const working = Promise.all(Array.from({ length: CLIENTS }, work));

  return {
    nextRun: () => inTime(runAndCount()),
    async stop() {
      isOver = true;
      await inTime(working);
      return { runs, lost, resumed };
    },
  };
}

function asSent({ sseId, text }: ReceivedEvent): readonly [string, string] {
  return [sseId, text];
}

function succeeds(promise: Promise<void>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
