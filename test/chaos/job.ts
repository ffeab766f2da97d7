import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { apiOf, consoleOf } from "../support/api.ts";
import type { Answer } from "../support/api.ts";
import type { TestService } from "../support/service.ts";
import { ofRun } from "../support/sse-client.ts";
import type { ReceivedEvent, StreamRequest } from "../support/sse-client.ts";
import type { Dice } from "#lib/dice.ts";
import { follow } from "./follow.ts";
import { createHook, hookIn, idIn, knock, tell } from "./doors.ts";
import { sendUntilAnswered } from "./send-until-answered.ts";
import type { Scene } from "./scene.ts";
import { orderOf } from "./orders.ts";
import type { Order } from "./orders.ts";

const POLL_INTERVAL_MS = 150;
const MAX_READERS = 2;
/** How often a request is sent again although it was answered, as after a lost answer. */
const MAX_REPEATS = 2;
const NEVER = "never" as const;
const ENDED = new Set(["completed", "failed", "cancelled"]);

const record = z.looseObject({
  id: z.uuid(),
  status: z.string(),
  error: z.string().nullable(),
  result: z.string().nullish(),
  output: z.string().nullish(),
  team_run_id: z.uuid().nullish(),
  interaction: z
    .looseObject({ interactionId: z.string(), interactionType: z.string(), title: z.string().optional() })
    .nullish(),
});

/** A task or a team run, with the fields used here. */
export type JobRecord = z.output<typeof record>;

/** An ended job, with what its clients and providers have observed. */
export interface DoneJob {
  readonly order: Order;
  /** The record as it was when it was first seen to have ended. */
  readonly end: JobRecord;
  readonly stream: StreamRequest;
  /** What each reader of its stream got. */
  readonly received: readonly (readonly ReceivedEvent[])[];
  /** Whether it was to be cancelled, and whether the service has said that it was. */
  readonly cancel: "never" | "asked" | "confirmed";
}

/** Gives an order, follows its stream, answers its questions, cancels it if the plan says so, and waits for its end. */
export async function doJob(scene: Scene, number: number, cancels: number): Promise<DoneJob> {
  const dice = scene.dice.of(`job ${number}`);
  const order = orderOf(scene.workforce, number, dice);
  const id = await give(scene, dice, order);
  const first = await look(scene, dice, { order, id });
  const stream =
    order.agentId === undefined ? ofRun(first.team_run_id ?? first.id) : { agentId: order.agentId, taskId: first.id };
  const readers = Array.from({ length: dice.whole(1, MAX_READERS) }, (_, index) =>
    follow(scene, dice.of(`reader ${index}`), stream),
  );
  // A message to a task that was cancelled meanwhile would run it again, which is right.
  const mayCancel = order.door !== "a2a";
  const cancelling =
    mayCancel && dice.chance(cancels) ? cancelLater(scene, dice.of("cancel"), { order, id: first.id }) : NEVER;
  const [end, cancel, ...received] = await Promise.all([
    watch(scene, dice.of("watch"), { order, id: first.id }),
    cancelling,
    ...readers,
  ]);
  return { order, end, stream, received, cancel };
}

interface Given {
  readonly order: Order;
  readonly id: string;
}

/** Gives an order, sometimes more than once. @throws Error when a repetition is taken for another order */
async function give(scene: Scene, dice: Dice, order: Order): Promise<string> {
  const makeHook = (service: TestService) => createHook(service, order);
  const hook = order.door === "trigger" ? hookIn(await sendUntilAnswered(scene, dice, makeHook)) : "";
  const ids = new Set<string>();
  for (let left = dice.whole(0, MAX_REPEATS); left >= 0;) {
    const answer = await sendUntilAnswered(scene, dice, (service) => knock(service, order, hook));
    // The same request is still in progress, at a process that hangs.
    if (answer.status === 409) await sleep(POLL_INTERVAL_MS);
    else if (answer.status >= 400) throw unexpected(answer);
    else {
      ids.add(idIn(answer, order));
      left -= 1;
    }
  }
  const [id = ""] = ids;
  if (ids.size > 1) throw new Error(`${order.title} became ${[...ids].join(" and ")}.`);
  return id;
}

async function look(scene: Scene, dice: Dice, { order, id }: Given): Promise<JobRecord> {
  return parse(
    await sendUntilAnswered(scene, dice, (service) => apiOf(service, service.keys.api).get(`${order.path}?id=${id}`)),
  );
}

/** Looks after a job until it has ended; answers what it asks. */
async function watch(scene: Scene, dice: Dice, { order, id }: Given): Promise<JobRecord> {
  for (;;) {
    const now = await look(scene, dice, { order, id });
    if (ENDED.has(now.status)) return now;
    if (now.interaction != null) await respond(scene, dice, { order, now });
    await sleep(POLL_INTERVAL_MS);
  }
}

async function respond(
  scene: Scene,
  dice: Dice,
  { order, now }: { readonly order: Order; readonly now: JobRecord },
): Promise<void> {
  const { interactionId = "", interactionType, title } = now.interaction ?? {};
  const text = `As to "${title}": blue.`;
  const what = interactionType === "approval" ? { approved: true } : { text };
  const path = `/${order.path === "/api-tasks" ? "tasks" : "runs"}/${now.id}/answer`;
  const request = (service: TestService) =>
    order.door === "a2a" && order.agentId !== undefined
      ? tell(service, order.agentId, { text, messageId: interactionId, contextId: order.title, taskId: now.id })
      : consoleOf(service, service.keys.api).post(path, { interactionId, ...what });
  for (let left = dice.whole(0, MAX_REPEATS); left >= 0; left--) {
    const answer = await sendUntilAnswered(scene, dice, request);
    // An answer before this one may have been taken without our hearing of it, or it was cancelled.
    if (answer.status !== 200 && answer.status !== 409) throw unexpected(answer);
  }
}

/** Cancels a job at some time. The first answer may be lost: then the service says that there is nothing to cancel. */
async function cancelLater(scene: Scene, dice: Dice, { order, id }: Given): Promise<DoneJob["cancel"]> {
  await sleep(dice.whole(0, 3_000));
  const answer = await sendUntilAnswered(scene, dice, (service) =>
    apiOf(service, service.keys.api).patch(`${order.path}?id=${id}`, { status: "cancelled" }),
  );
  if (answer.status !== 200 && answer.status !== 409) throw unexpected(answer);
  return answer.status === 200 ? "confirmed" : "asked";
}

function parse(answer: Answer): JobRecord {
  if (answer.status !== 200 && answer.status !== 201) throw unexpected(answer);
  return record.parse(answer.body);
}

function unexpected({ status, text }: Answer): Error {
  return new Error(`A request was answered with ${status}: ${text}`);
}
