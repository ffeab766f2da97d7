import { createHmac } from "node:crypto";
import { z } from "zod";
import { formOfKind } from "#domain/destinations/destination-form.ts";
import { hashKey } from "#domain/access/api-key.ts";
import { buttonsOf } from "#domain/people/question-button.ts";
import { deadlineText, outcomeText, questionText, tallyText } from "#domain/people/question-message.ts";
import type { OpenMessage, PostedMessage, QuestionMessage } from "#domain/people/question-message.ts";
import { openQuestion } from "#domain/tasks/open-question.ts";
import type { AskedQuestion } from "#domain/tasks/open-question.ts";
import type { PendingDelivery } from "#db/queries/destinations/pending-deliveries.ts";
import { findPlaceOfRun } from "#db/queries/destinations/channel-messages.ts";
import { findPostedQuestion, insertRouteLink, isBeingEdited } from "#db/queries/destinations/posted-questions.ts";
import type { PostedQuestion } from "#db/queries/destinations/posted-questions.ts";
import type { DeliveryContext, Destination } from "#destinations/define-destination.ts";
import { attemptDelivery } from "#destinations/delivery/attempt-delivery.ts";
import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";
import { openConfig } from "#operations/destinations/route-config.ts";
import type { DeliveryServices } from "./delivery-services.ts";
import { failedAttempt, notNeeded } from "./failed-attempt.ts";
import type { Postponed } from "./run-reply.ts";

const PURPOSE = "people-links";
const CLOSED = "question.closed";
/** How long an edit waits for the message, in milliseconds. */
const WAIT_MS = 1_000;
/** How long a question waits for what the run says before it. */
const AFTER_REPLY_MS = 200;
const answer = z.record(z.string(), z.unknown()).nullable();
/** What a test asks. */
const TEST: AskedQuestion = {
  interactionId: "",
  toolCallId: "",
  interactionType: "approval",
  title: "Test delivery",
  description: "This is a test: pressing a button answers nothing.",
  timeoutMs: 0,
};

type Asking = PendingDelivery & { readonly routeId: string };
type Channel = NonNullable<Destination["people"]>;

/**
 * Makes one attempt to ask people in a channel, or to edit the message that asked. An edit waits while the message is
 * being sent.
 * @throws as `runDelivery`
 */
export async function runQuestion(
  services: DeliveryServices,
  delivery: Asking,
  signal: AbortSignal,
): Promise<AttemptOutcome | Postponed> {
  const found = services.destinations.find(({ type }) => type === delivery.type);
  const destination = found && formOfKind(found, delivery.routeKind ?? "people");
  if (found?.people === undefined || delivery.config === null) {
    return failedAttempt("The route was deleted or paused.");
  }
  const question = await findPostedQuestion(services.db, delivery.closes ?? delivery.id);
  if (question === undefined) return notNeeded();
  const attempt = {
    services,
    delivery,
    signal,
    destination: { ...found, ...destination },
    people: found.people,
    question,
  };
  return delivery.closes === null ? ask(attempt) : edit(attempt, delivery.closes);
}

interface Attempt {
  readonly services: DeliveryServices;
  readonly delivery: Asking;
  readonly signal: AbortSignal;
  readonly destination: Destination;
  readonly people: Channel;
  readonly question: PostedQuestion;
}

async function ask(attempt: Attempt): Promise<AttemptOutcome | Postponed> {
  const { services, people, question } = attempt;
  if (question.state !== "open" && !question.isTest) return notNeeded();
  const { workspaceId, routeId, subjectId: taskId } = question;
  // Of a conversation in a channel: it asks there, below what the run says.
  const place = taskId === null ? undefined : await findPlaceOfRun(services.db, { workspaceId, routeId, taskId });
  if (place?.isSilent === true) return { delayMs: AFTER_REPLY_MS };
  const open = await openMessage(attempt);
  const sent: { message: PostedMessage | null } = { message: null };
  const outcome = await send(attempt, async (context, config) => {
    sent.message = await people.ask(context, config, { ...open, buttons: buttonsFor(attempt, config), place });
  });
  return sent.message === null ? outcome : { ...outcome, posted: sent.message };
}

/** Shows the question in its message as it is now: with its votes, or how it ended. */
async function edit(attempt: Attempt, closes: string): Promise<AttemptOutcome | Postponed> {
  const { services, people, question, delivery } = attempt;
  const { posted, isBeingSent, state } = question;
  if (isBeingSent || (await isBeingEdited(services.db, { id: delivery.id, closes }))) return { delayMs: WAIT_MS };
  const isOpen = state === "open";
  // It was not sent, or cannot be edited; or the run was deleted, and nothing is known of it any more.
  if (posted === null || people.edit === undefined || isOpen === (delivery.event === CLOSED)) return notNeeded();
  const message = isOpen ? await openMessage(attempt) : { ...closedMessage(attempt), link: null };
  return send(attempt, async (context, config) => {
    const buttons = isOpen ? buttonsFor(attempt, config) : [];
    await people.edit?.(context, config, { posted, message: { ...message, buttons } });
  });
}

async function openMessage(attempt: Attempt): Promise<Omit<OpenMessage, "buttons">> {
  const { services, question } = attempt;
  const request = question.isTest ? TEST : openQuestion.parse(question.request);
  const link = await linkOf(services, question);
  const parts = [tallyText(request, question.votes), deadlineText(question.deadline, request)];
  return { ...headOf(attempt, request), link, footer: question.isTest ? "" : parts.filter(Boolean).join(" ") };
}

function closedMessage(attempt: Attempt): Omit<QuestionMessage, "buttons" | "link"> {
  const { question, delivery } = attempt;
  const parsed = openQuestion.safeParse(question.request).data;
  const request = parsed ?? { ...TEST, title: delivery.title, description: "" };
  const footer = outcomeText({ ...question, request, answer: answer.parse(question.answer) });
  return { ...headOf(attempt, request), footer };
}

/** Only members answer some questions: in a channel, those whom its route knows by their ids at the vendor. */
function buttonsFor({ people, question }: Attempt, config: Readonly<Record<string, unknown>>) {
  const isForThem = question.approvers !== "members" || question.hasKnownMembers;
  const request = question.isTest ? TEST : openQuestion.parse(question.request);
  return isForThem && people.takesPresses?.(config) === true ? buttonsOf(request, question.id) : [];
}

/** Sends with the route's configuration; its rest is as for any other delivery. */
function send(
  { services, delivery, destination, signal }: Attempt,
  deliver: (context: DeliveryContext, config: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<AttemptOutcome> {
  const { workspaceId, routeId, config, secretsCiphertext } = delivery;
  const stored = {
    workspace_id: workspaceId,
    id: routeId,
    config: config ?? {},
    secrets_ciphertext: secretsCiphertext,
  };
  return attemptDelivery(
    services.settings,
    { ...destination, deliver },
    {
      deliveryId: delivery.id,
      config: openConfig(services.secrets, stored),
      payload: null,
      mappedCardId: null,
      googleAccessToken: () => Promise.reject(new Error("Questions use no Google account.")),
      signal,
    },
  );
}

/** In a conversation everybody knows who asks, and of what. */
function headOf(
  { question: { asker, subject, isTest }, delivery }: Attempt,
  request: AskedQuestion,
): Pick<QuestionMessage, "title" | "context" | "text"> {
  const asks = `${asker === "" ? "A question" : `${asker} asks`}: ${subject}`;
  const context = isTest ? "A test of the route" : delivery.routeKind === "agent" ? "" : asks;
  return { title: request.title, context, text: questionText(request) };
}

/**
 * The link of a delivery, the same in all its attempts: a stranger's page for the question, or the console's for one
 * that only members answer.
 */
async function linkOf(
  { db, secrets, publicUrl }: DeliveryServices,
  { id, workspaceId, routeId, interactionId, subjectId, approvers, isTest }: PostedQuestion,
): Promise<OpenMessage["link"]> {
  const label = "Open the question";
  if (isTest || subjectId === null) return { label, url: publicUrl };
  if (approvers === "members") return { label, url: `${publicUrl}/r/${subjectId}/answer` };
  const token = createHmac("sha256", secrets.derive(PURPOSE)).update(id).digest("base64url");
  await insertRouteLink(db, { tokenHash: hashKey(token), workspaceId, interactionId, subjectId, routeId });
  return { label, url: `${publicUrl}/a#token=${token}` };
}
