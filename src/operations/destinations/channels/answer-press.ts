import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { CallingVendor } from "#domain/people/channel-path.ts";
import { answerOfPress } from "#domain/people/question-button.ts";
import type { PressedButton } from "#domain/people/question-button.ts";
import { outcomeText } from "#domain/people/question-message.ts";
import { openQuestion } from "#domain/tasks/open-question.ts";
import { findPostedQuestion } from "#db/queries/destinations/posted-questions.ts";
import type { PostedQuestion } from "#db/queries/destinations/posted-questions.ts";
import type { Services } from "../../context.ts";
import { respond } from "../../runs/respond.ts";
import { bindWorkspace } from "../../workspace.ts";
import type { OpenRoute } from "./open-route.ts";

const GONE = "This question no longer exists.";
const answer = z.record(z.string(), z.unknown()).nullable();

/** Somebody in a channel, as the vendor names them. */
export interface ChannelPerson {
  readonly id: string;
  readonly name: string;
}

/** What somebody did in a channel. */
export interface Press extends PressedButton {
  readonly person: ChannelPerson;
  /** The text that the person wrote. */
  readonly text?: string;
}

/** What came of it: `accepted`, also when the vendor repeats a call; `refused` with the reason; `asks` for a text. */
export type PressOutcome =
  | { readonly kind: "accepted" | "refused"; readonly text: string }
  | { readonly kind: "asks"; readonly title: string };

/** A vendor's call of a route. */
export interface Channel {
  readonly vendor: CallingVendor;
  readonly route: OpenRoute;
  /** Finds another route of the same workspace whose secret signs this call as well. */
  otherRoute(id: string): Promise<OpenRoute | undefined>;
}

/**
 * Answers a question by what somebody did in a channel; the first answer wins. The message may be of another route,
 * because an app has one URL for all its channels; that route must accept the call as well.
 */
export async function answerPress(services: Services, channel: Channel, press: Press): Promise<PressOutcome> {
  const question = await findPostedQuestion(services.db, press.deliveryId);
  const route = question && (await routeOf(channel, question));
  if (question === undefined || route === undefined) return refused(GONE);
  if (question.isTest) return refused("This is a test: your press arrived. It answers nothing.");
  if (route.allowedUserIds.length > 0 && !route.allowedUserIds.includes(press.person.id)) {
    return refused("You are not on the list of people who may answer here.");
  }
  if (question.state !== "open") return closedOutcome(channel, question, press);
  return answerOpen(services, { channel, route, question, press });
}

async function routeOf({ route, otherRoute }: Channel, question: PostedQuestion): Promise<OpenRoute | undefined> {
  if (question.workspaceId !== route.workspaceId) return undefined;
  return question.routeId === route.id ? route : await otherRoute(question.routeId);
}

interface Answering {
  readonly channel: Channel;
  readonly route: OpenRoute;
  readonly question: PostedQuestion;
  readonly press: Press;
}

async function answerOpen(services: Services, { channel, route, question, press }: Answering): Promise<PressOutcome> {
  const request = openQuestion.parse(question.request);
  if (press.action === "text" && press.text === undefined) return { kind: "asks", title: request.title };
  const body = answerOfPress(request, press.action, press.text);
  const { subjectId, interactionId } = question;
  if (body === undefined || subjectId === null) return refused(GONE);
  const { person } = press;
  const who: Principal = { ...route.principal, role: "member", keyId: null, scopes: ["read", "write"] };
  try {
    const by = { via: channel.vendor, linkName: person.name, vendorId: person.id };
    await respond(bindWorkspace(services, who), { subjectId, interactionId, body, ...by });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== "conflict") return refused(error.message);
  }
  const closed = await findPostedQuestion(services.db, press.deliveryId);
  return closed === undefined ? refused(GONE) : closedOutcome(channel, closed, press);
}

/** Accepted if this person's answer is the one that counts: vendors repeat calls whose response they missed. */
function closedOutcome({ vendor }: Channel, question: PostedQuestion, { person }: Press): PressOutcome {
  const request = openQuestion.safeParse(question.request).data;
  if (request === undefined) return refused("The question was cancelled.");
  // Its deadline has passed, and the run is about to fail.
  const state = question.state === "open" ? "expired" : question.state;
  const text = outcomeText({ ...question, state, request, answer: answer.parse(question.answer) });
  const isTheirs = question.answeredVia === vendor && question.vendorId === person.id;
  return { kind: isTheirs ? "accepted" : "refused", text };
}

function refused(text: string): PressOutcome {
  return { kind: "refused", text };
}
