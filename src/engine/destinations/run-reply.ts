import { SAID } from "#domain/people/channel-message.ts";
import type { ChannelPlace } from "#domain/people/channel-message.ts";
import type { PostedMessage } from "#domain/people/question-message.ts";
import type { PendingDelivery } from "#db/queries/destinations/pending-deliveries.ts";
import {
  addReplyParts,
  notePosted,
  noteSending,
  readAnsweringRun,
  readChannelReply,
  readReplyFile,
} from "#db/queries/destinations/channel-replies.ts";
import type { AnsweringRun, ChannelReply } from "#db/queries/destinations/channel-replies.ts";
import type { DeliveryContext, Destination, TalkChannel } from "#destinations/define-destination.ts";
import { attemptDelivery } from "#destinations/delivery/attempt-delivery.ts";
import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";
import { openCalledRoute } from "#operations/destinations/channels/open-route.ts";
import type { OpenRoute } from "#operations/destinations/channels/open-route.ts";
import { writerOf } from "#operations/destinations/channels/receive-message.ts";
import { takeUp } from "#operations/destinations/channels/take-up.ts";
import type { DeliveryServices } from "./delivery-services.ts";
import { failedAttempt, notNeeded } from "./failed-attempt.ts";
import { readSaid } from "./read-said.ts";
import type { ReplyMemory } from "./reply-memory.ts";

/** A delivery waits for an earlier one, or for a run in progress: a part of its age, in milliseconds. */
const WAIT_MS = { least: 500, most: 10_000, partOfAge: 20 } as const;
/** Short answers are complete soon after their message is posted. */
const FIRST_LOOK_MS = 300;
/** The wait after an edit of a growing answer that failed, in milliseconds. */
const AFTER_FAULT_MS = 5_000;
/** Edits of a long run come rarer: the wait is this part of its age, up to the longest. */
const PART_OF_AGE = 60;
const MAX_GAP_MS = 10_000;

/** Nothing is done with the delivery for a while; it is no attempt. */
export interface Postponed {
  readonly delayMs: number;
}

type Answering = PendingDelivery & { readonly routeId: string };

interface Reply {
  readonly services: DeliveryServices;
  readonly memory: ReplyMemory;
  readonly delivery: Answering;
  readonly signal: AbortSignal;
  readonly destination: Destination;
  readonly talk: TalkChannel;
  readonly route: OpenRoute;
  readonly reply: ChannelReply;
  readonly place: ChannelPlace;
}

/**
 * Continues what a conversation in a channel is told: gives the agent the message, posts the answer, and edits it as
 * it grows. Each step is stored, so that any process goes on after it.
 * @throws the signal's reason; an Error for faults that no receiver can cause
 */
export async function runReply(
  services: DeliveryServices,
  { delivery, memory, signal }: Pick<Reply, "delivery" | "memory" | "signal">,
): Promise<AttemptOutcome | Postponed> {
  const destination = services.destinations.find(({ type }) => type === delivery.type);
  const [route, reply] = await Promise.all([
    openCalledRoute(services, delivery.routeId),
    readChannelReply(services.db, delivery.id),
  ]);
  if (destination?.talk === undefined || route === undefined) return failedAttempt("The route was deleted.");
  if (reply === undefined || reply.outcome === "answered") return notNeeded();
  if (reply.isBehind) return waitOf(delivery);
  const { channel, thread } = reply;
  const parts = { services, memory, delivery, signal, destination, talk: destination.talk, route };
  return answer({ ...parts, reply, place: { channel, thread } });
}

async function answer(one: Reply): Promise<AttemptOutcome | Postponed> {
  const { reply, delivery, services, route } = one;
  if (delivery.event === "channel.notice") return say(one, delivery.result);
  if (reply.taskId === null || reply.attempt === null) return begin(one);
  const run = await readAnsweringRun(services.db, reply.taskId);
  if (run === undefined) return notNeeded();
  const turn = { ...one, run, taskId: reply.taskId, attempt: reply.attempt };
  if (reply.part !== null) return sendPart(turn, reply.part);
  return route.isActive ? follow(turn) : say(one, SAID.paused);
}

/** Gives the agent the message. What is posted meanwhile becomes the answer. */
async function begin(one: Reply): Promise<AttemptOutcome | Postponed> {
  const { services, route, reply, signal, delivery } = one;
  let taken;
  try {
    taken = await takeUp(services.operations(), route, { message: reply, signal });
  } catch (error) {
    signal.throwIfAborted();
    return { ...failedAttempt(`The message was not taken: ${String(error)}`), isFinal: false };
  }
  if ("text" in taken) {
    if (taken.kind === "says") return say(one, taken.text);
    if (!one.memory.isSaid(delivery.id, taken.text)) await say(one, taken.text);
    return waitOf(delivery);
  }
  if (taken.kind === "answered") return notNeeded();
  if (taken.kind === "waits") return waitOf(delivery);
  return runReply(services, { ...one, delivery });
}

function waitOf({ createdAt }: PendingDelivery): Postponed {
  const age = Date.now() - createdAt.getTime();
  return { delayMs: Math.min(Math.max(age / WAIT_MS.partOfAge, WAIT_MS.least), WAIT_MS.most) };
}

interface Turn extends Reply {
  readonly run: AnsweringRun;
  readonly taskId: string;
  readonly attempt: number;
}

/** Posts what the run has said so far, or its end. */
async function follow(turn: Turn): Promise<AttemptOutcome | Postponed> {
  const { services, memory, reply, run, attempt, talk, delivery } = turn;
  const workspace = services.db.inWorkspace(writerOf(turn.route));
  const said = await readSaid(workspace, memory.reading(delivery.id), turn);
  if (said.hasAsked) return say(turn, said.text.trim() || SAID.asks);
  if (isOver(run, attempt)) {
    const texts = talk.split(endOf(turn));
    await addReplyParts(services.db, {
      messageId: reply.id,
      taskId: turn.taskId,
      attempt,
      deliveryId: delivery.id,
      texts: Math.max(texts.length - 1, 0),
    });
    return say(turn, texts[0] ?? SAID.nothing);
  }
  const gapMs = Math.max(talk.gapMs(reply.channel), Math.min(run.ageMs / PART_OF_AGE, MAX_GAP_MS));
  const text = growing(turn, said);
  if (memory.isSaid(delivery.id, text)) return { delayMs: gapMs };
  const outcome = await say(turn, text);
  if (outcome.status === "success") return { delayMs: reply.posted === null ? FIRST_LOOK_MS : gapMs };
  return { delayMs: Math.max(AFTER_FAULT_MS, outcome.waitMs ?? 0) };
}

function isOver({ status, attempt: newest }: AnsweringRun, attempt: number): boolean {
  return newest > attempt || status === "completed" || status === "failed" || status === "cancelled";
}

/** What is shown of an answer that is not complete: its first message, and what the agent does. */
function growing({ talk, run }: Turn, { text, tool }: { readonly text: string; readonly tool: string | undefined }) {
  if (run.isPaused && run.status === "dispatched") return SAID.workspacePaused;
  const shown = text.trim() === "" ? "" : `${text.trim()}\n\n`;
  const [first = "", ...rest] = talk.split(`${shown}${tool === undefined ? "" : `${tool} `}${SAID.thinks}`);
  return rest.length === 0 ? first : `${first}\n\n${SAID.thinks}`;
}

/** The text of an attempt that is over. A later attempt of the run has its result in the conversation. */
function endOf({ run, taskId, attempt }: Turn): string {
  if (run.attempt > attempt) {
    const found = run.conversation?.find(({ of }) => of?.runId === taskId && of.attempt === attempt);
    return found?.content ?? SAID.cancelled;
  }
  if (run.status === "completed") return run.result?.trim() || SAID.nothing;
  return run.status === "cancelled" ? SAID.cancelled : SAID.failed(run.error ?? "");
}

async function sendPart(turn: Turn, part: string): Promise<AttemptOutcome> {
  const [kind, id = ""] = part.split(":");
  if (kind === "text") return say(turn, turn.talk.split(endOf(turn))[Number(id)] ?? SAID.nothing);
  const { services, talk, place, taskId } = turn;
  const file = await readReplyFile(services.db, id, taskId);
  if (file === undefined) return notNeeded();
  const { name, type, size, blobKey } = file;
  if (size > talk.maxFileBytes) return say(turn, SAID.lost(name, "it is too large. It is in the console."));
  const content = await services.operations().blobs.get(blobKey);
  return send(turn, (context, config) => talk.send(context, config, { place, file: { name, type, content } }));
}

/** Posts a text, or replaces that of the delivery's message. */
async function say(one: Reply, text: string): Promise<AttemptOutcome> {
  const { services, memory, reply, talk, place, delivery } = one;
  const { db } = services;
  const [shown = SAID.nothing] = talk.split(text);
  const known: { posted: PostedMessage | null } = { posted: reply.posted };
  const outcome = await send(one, async (context, config) => {
    if (known.posted === null && reply.isSending) {
      known.posted = (await talk.find?.(context, config, { place, key: reply.key })) ?? null;
      if (known.posted !== null) await notePosted(db, delivery.id, known.posted);
    }
    if (known.posted !== null) return talk.change(context, config, { posted: known.posted, text: shown });
    await noteSending(db, delivery.id);
    known.posted = await talk.say(context, config, { place, text: shown });
    await notePosted(db, delivery.id, known.posted);
  });
  if (outcome.status === "success") memory.say(delivery.id, text);
  return known.posted === null ? outcome : { ...outcome, posted: known.posted };
}

function send(
  { services, delivery, destination, talk, route, signal }: Reply,
  deliver: (context: DeliveryContext, config: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<AttemptOutcome> {
  return attemptDelivery(
    services.settings,
    { ...destination, config: talk.config, deliver },
    {
      deliveryId: delivery.id,
      config: route.config,
      payload: null,
      mappedCardId: null,
      googleAccessToken: () => Promise.reject(new Error("Conversations use no Google account.")),
      signal,
    },
  );
}
