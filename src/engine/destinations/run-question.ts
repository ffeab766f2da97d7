import { createHmac } from "node:crypto";
import { z } from "zod";
import { hashKey } from "#domain/access/api-key.ts";
import { buttonsOf } from "#domain/people/question-button.ts";
import { deadlineText, outcomeText, questionText } from "#domain/people/question-message.ts";
import type { PostedMessage, QuestionMessage } from "#domain/people/question-message.ts";
import { openQuestion } from "#domain/tasks/open-question.ts";
import type { AskedQuestion } from "#domain/tasks/open-question.ts";
import type { PendingDelivery } from "#db/queries/destinations/pending-deliveries.ts";
import { findPostedQuestion, insertRouteLink } from "#db/queries/destinations/posted-questions.ts";
import type { PostedQuestion } from "#db/queries/destinations/posted-questions.ts";
import type { DeliveryContext, Destination } from "#destinations/define-destination.ts";
import { attemptDelivery } from "#destinations/delivery/attempt-delivery.ts";
import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";
import { openConfig } from "#operations/destinations/route-config.ts";
import type { DeliveryServices } from "./delivery-services.ts";
import { failedAttempt, notNeeded } from "./failed-attempt.ts";

const PURPOSE = "people-links";
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
): Promise<AttemptOutcome | "wait"> {
  const destination = services.destinations.find(({ type }) => type === delivery.type);
  if (destination?.people === undefined || delivery.config === null) {
    return failedAttempt("The route was deleted or paused.");
  }
  const question = await findPostedQuestion(services.db, delivery.closes ?? delivery.id);
  if (question === undefined) return notNeeded();
  const attempt = { services, delivery, signal, destination, people: destination.people, question };
  return delivery.closes === null ? ask(attempt) : close(attempt);
}

interface Attempt {
  readonly services: DeliveryServices;
  readonly delivery: Asking;
  readonly signal: AbortSignal;
  readonly destination: Destination;
  readonly people: Channel;
  readonly question: PostedQuestion;
}

async function ask(attempt: Attempt): Promise<AttemptOutcome> {
  const { people, question, services } = attempt;
  if (question.state !== "open" && !question.isTest) return notNeeded();
  const request = question.isTest ? TEST : openQuestion.parse(question.request);
  const link = await linkOf(services, question);
  const sent: { message: PostedMessage | null } = { message: null };
  const outcome = await send(attempt, async (context, config) => {
    // Only members answer some questions: in a channel nobody is one.
    const takesPresses = question.approvers !== "members" && people.takesPresses?.(config) === true;
    const buttons = takesPresses ? buttonsOf(request, question.id) : [];
    const footer = question.isTest ? "" : deadlineText(question.deadline);
    sent.message = await people.ask(context, config, { ...headOf(request, question), buttons, link, footer });
  });
  return sent.message === null ? outcome : { ...outcome, posted: sent.message };
}

async function close(attempt: Attempt): Promise<AttemptOutcome | "wait"> {
  const { people, question } = attempt;
  const { posted, isBeingSent, state } = question;
  if (isBeingSent) return "wait";
  // It was not sent, or cannot be edited; or the run was deleted, and nothing is known of it any more.
  if (posted === null || people.close === undefined || state === "open") return notNeeded();
  const parsed = openQuestion.safeParse(question.request).data;
  const request = parsed ?? { ...TEST, title: attempt.delivery.title, description: "" };
  const footer = outcomeText({ ...question, request, answer: answer.parse(question.answer) });
  const link = { label: "", url: "" };
  return send(attempt, async (context, config) => {
    await people.close?.(context, config, {
      posted,
      message: { ...headOf(request, question), buttons: [], link, footer },
    });
  });
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

function headOf(
  request: AskedQuestion,
  { asker, subject, isTest }: PostedQuestion,
): Pick<QuestionMessage, "title" | "context" | "text"> {
  const from = isTest ? "A test of the route" : `${asker === "" ? "A question" : `${asker} asks`}: ${subject}`;
  return { title: request.title, context: from, text: questionText(request) };
}

/**
 * The link of a delivery, the same in all its attempts: a stranger's page for the question, or the console's for one
 * that only members answer.
 */
async function linkOf(
  { db, secrets, publicUrl }: DeliveryServices,
  { id, workspaceId, routeId, interactionId, subjectId, approvers, isTest }: PostedQuestion,
): Promise<QuestionMessage["link"]> {
  const label = "Open the question";
  if (isTest || subjectId === null) return { label, url: publicUrl };
  if (approvers === "members") return { label, url: `${publicUrl}/r/${subjectId}/answer` };
  const token = createHmac("sha256", secrets.derive(PURPOSE)).update(id).digest("base64url");
  await insertRouteLink(db, { tokenHash: hashKey(token), workspaceId, interactionId, subjectId, routeId });
  return { label, url: `${publicUrl}/a#token=${token}` };
}
