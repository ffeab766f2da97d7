import { setTimeout as sleep } from "node:timers/promises";
import { resumingReader } from "../support/clients/resuming-reader.ts";
import { hasEnded } from "../support/sse-client.ts";
import type { ReceivedEvent, StreamRequest } from "../support/sse-client.ts";
import type { Dice } from "#lib/dice.ts";
import type { Scene } from "./scene.ts";

const BEFORE_RECONNECTING_MS = 50;
/** The maximum number of events before a reader is disconnected. */
const LONGEST_STRETCH = 40;
const MAX_CUTS = 5;

/**
 * Reads a run's stream to its end like a client that is sometimes disconnected, and reconnects with its last event id to any process that is up.
 * @throws whatever the scene gives up with
 */
export async function follow(scene: Scene, dice: Dice, stream: StreamRequest): Promise<readonly ReceivedEvent[]> {
  const { fleet, givenUp } = scene;
  const reader = resumingReader(stream.agentId, stream.taskId);
  const leave = () => void reader.cut();
  givenUp.addEventListener("abort", leave);
  for (let cuts = 0; !hasEnded(reader.events()); cuts++) {
    givenUp.throwIfAborted();
    const wanted = cuts < MAX_CUTS ? reader.events().length + dice.whole(1, LONGEST_STRETCH) : Infinity;
    const service = fleet.any(dice);
    if (service !== undefined && (await succeeds(reader.connect(service)))) {
      await succeeds(reader.until((events) => events.length >= wanted || hasEnded(events)));
      // What came after it is lost with the connection.
      await reader.cut(wanted);
    } else await sleep(BEFORE_RECONNECTING_MS);
  }
  givenUp.removeEventListener("abort", leave);
  return reader.events();
}

function succeeds(promise: Promise<void>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
