import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { CallingVendor } from "#domain/people/channel-path.ts";
import { answerOfPress } from "#domain/people/question-button.ts";
import { SAID } from "#domain/people/channel-message.ts";
import type { PressedButton } from "#domain/people/question-button.ts";
import { outcomeText, tallyText } from "#domain/people/question-message.ts";
import { openQuestion } from "#domain/tasks/open-question.ts";
import { findPostedQuestion } from "#db/queries/destinations/posted-questions.ts";
import type { PostedQuestion } from "#db/queries/destinations/posted-questions.ts";
import type { Services } from "../../context.ts";
import { respond } from "../../runs/respond.ts";
import { bindWorkspace } from "../../workspace.ts";
import type { OpenRoute } from "./open-route.ts";

const GONE = "This question no longer exists.";
const UNKNOWN =
  "Only members may answer this, and the route does not say which of them you are. Open the question and sign in.";
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
  if (!route.isActive) return refused(SAID.paused);
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

async function answerOpen(services: Services, answering: Answering): Promise<PressOutcome> {
  const { channel, question, press } = answering;
  const request = openQuestion.parse(question.request);
  if (press.action === "text" && press.text === undefined) return { kind: "asks", title: request.title };
  const body = answerOfPress(request, press.action, press.text);
  const given = answererOf(answering);
  if (body === undefined || question.subjectId === null) return refused(GONE);
  if (given === undefined) return refused(UNKNOWN);
  const before = repeated(question, { userId: given.who.userId, approved: body["approved"] === true });
  if (before !== undefined) return before;
  const { subjectId, interactionId } = question;
  const by = { via: channel.vendor, vendorId: press.person.id, ...given.by };
  try {
    await respond(bindWorkspace(services, given.who), { subjectId, interactionId, body, ...by });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== "conflict") return refused(error.message);
  }
  const now = await findPostedQuestion(services.db, press.deliveryId);
  if (now === undefined) return refused(GONE);
  return now.state === "open" && now.votes.length > question.votes.length
    ? { kind: "accepted", text: tallyText(request, now.votes) }
    : closedOutcome(channel, now, press);
}

/** Who answers: a member whom the route knows, or else somebody by name. Undefined where only members may. */
function answererOf({ route, question, press: { person } }: Answering) {
  const who: Principal = { ...route.principal, role: "member", keyId: null, scopes: ["read", "write"] };
  const known = route.members.find((one) => one.user_id === person.id);
  if (known !== undefined) return { who: { ...who, userId: known.member }, by: {} };
  return question.approvers === "members" ? undefined : { who, by: { linkName: person.name } };
}

/** What a person hears who has voted on this before: a vendor repeats calls, and each person has one vote. */
function repeated(
  { request, votes }: PostedQuestion,
  { userId, approved }: { readonly userId: string; readonly approved: boolean },
): PressOutcome | undefined {
  const own = votes.find((vote) => vote.userId === userId);
  if (own === undefined) return undefined;
  if (own.approved === approved) return { kind: "accepted", text: tallyText(openQuestion.parse(request), votes) };
  return refused(`You ${own.approved ? "approved" : "denied"} it already; each person has one vote.`);
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
