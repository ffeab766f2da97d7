import { z } from "zod";
import { readAnswer } from "#domain/tasks/answer.ts";
import type { Answer, Answers } from "#domain/tasks/answer.ts";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import { AppError, notFound } from "#domain/errors.ts";
import { openRequest } from "#domain/tasks/interaction-request.ts";
import type { InteractionIds, InteractionRequest } from "#domain/tasks/interaction-request.ts";
import { approversOfQuestion, isForClient, orderOf, question as questionSchema } from "#domain/tasks/interaction.ts";
import type { Question } from "#domain/tasks/interaction.ts";
import { requireScope } from "#domain/access/principal.ts";
import type { Principal } from "#domain/access/principal.ts";
import { sourceOf } from "#domain/runs/run-source.ts";
import { requireApprover } from "#domain/tasks/approvers.ts";
import { requireAnswerRight } from "#domain/access/answer-right.ts";
import { includesRole, serviceIn } from "#domain/access/role.ts";
import type { Tenant } from "#domain/access/role.ts";
import type { AnswerChannel, StepFacts } from "#domain/runs/step-facts.ts";
import { storableJson } from "#domain/storable.ts";
import { addTimestamp } from "#domain/streams/stream-event.ts";
import { nextStep } from "#domain/tasks/wizard.ts";
import type { Transaction } from "#db/database.ts";
import { editPostedQuestion } from "#db/queries/destinations/posted-questions.ts";
import { recordAnswer } from "#db/queries/runs/question-list.ts";
import type { AnswerRecord } from "#db/queries/runs/question-list.ts";
import { lockAsking } from "#db/queries/runs/lock-runs.ts";
import type { LockedRun } from "#db/queries/runs/lock-runs.ts";
import * as rows from "#db/queries/runs/questions.ts";
import type { NextStep } from "#db/queries/runs/questions.ts";
import { appendWhileWaiting } from "#db/queries/streams/log-heads.ts";
import { isUuid } from "#lib/ids.ts";
import type { AcceptMessage } from "./accept-message.ts";
import { rejectLateVote, vote } from "./vote.ts";
import type { Voted } from "./vote.ts";
import { changeWorkspace } from "../change-workspace.ts";
import type { Workspace } from "../workspace.ts";

/** An answer to the open question of a task or a team run. */
export interface Response {
  /** The id of the waiting task or team run. */
  readonly subjectId: string;
  /** What errors call it; a task by default. */
  readonly noun?: "Task" | "Run";
  /** If given, the task must belong to this agent. */
  readonly agentId?: string | undefined;
  readonly interactionId: string;
  /**
   * The answer by kind: `approved`; `approved` and `data`; `selectedOptionId`; `text`; `values`. For a wizard also
   * `wizardStepId`, or `wizardCancelled: true` alone.
   */
  readonly body: Readonly<Record<string, unknown>>;
  /** The surface on which it arrived. */
  readonly via: AnswerChannel;
  /** For an answer without an account: the name that the person entered, or has at the vendor of the channel. */
  readonly linkName?: string;
  /** The person's id at that vendor. */
  readonly vendorId?: string;
  /** With the results of client tools: the tools that the client offers from now on. */
  readonly clientTools?: ClientTools;
  /** Writes of the surface in the same transaction; an answer that was accepted before has no effect. */
  readonly accept?: AcceptMessage;
}

/**
 * Answers the open question of a task or a team run. The first answer wins; the run continues with it, or asks the next
 * page of a wizard.
 * @throws AppError `forbidden`; `not_found`; `conflict` when the subject does not wait, or not for this answer;
 * `bad_request` when the answer does not match the question, which then stays open.
 */
export async function respond(workspace: Workspace, response: Response): Promise<void> {
  const { subjectId, interactionId } = response;
  requireScope(workspace.who, "write");
  requireAnswerRight(workspace.who);
  if (!isUuid(subjectId)) throw notFound(response.noun ?? "Task");
  await changeWorkspace(workspace, answererIn(workspace.who, response), async (tx) => {
    const run = await lockAnswered(tx, response);
    const isNew = (await response.accept?.(tx, { taskId: subjectId, effect: "answer" })) ?? true;
    if (!isNew) return;
    const current = await readOpenQuestion(tx, run, response);
    const isByLink = response.linkName !== undefined;
    const order = orderOf(current.question);
    if (workspace.who.pageId !== undefined && !isForClient(current.question)) throw notForVisitors();
    if (order === undefined)
      requireApprover(approversOfQuestion(current.question), { keyId: workspace.who.keyId, isByLink });
    const given = react(current, response.body);
    const voted =
      order === undefined
        ? undefined
        : await vote(tx, workspace.who, {
            run,
            interactionId,
            order,
            isByLink,
            via: channelOf(workspace.who, response),
            approved: given.outcome["approved"] === true,
          });
    if (voted !== undefined) await appendWhileWaiting(tx, run.id, [voteEvent(voted)]);
    if (voted !== undefined && voted.answer === undefined) {
      await editPostedQuestion(tx, interactionId);
      return tx.publish(run.id);
    }
    const reaction = voted?.answer === undefined ? given : decided(voted.answer);
    const { clientTools } = response;
    const { next } = reaction;
    const outcome = clientTools === undefined ? reaction.outcome : { ...reaction.outcome, clientTools };
    await appendWhileWaiting(tx, run.id, eventsOf(run.id, response, reaction));
    if (next !== undefined) await rows.askNextStep(tx, run.id, asTexts(next));
    else {
      // The execution that continues exists if and only if the transaction commits.
      const facts = factsOf(workspace.who, response, current.question);
      await rows.resumeRun(tx, run, { answer: JSON.stringify(outcome), facts });
      await recordAnswer(tx, interactionId, recordOf(workspace.who, response, outcome));
    }
    tx.publish(run.id);
  });
}

function notForVisitors(): AppError {
  return new AppError("forbidden", "Others decide this. The conversation goes on once they have.");
}

function voteEvent({ event }: Voted): string {
  return JSON.stringify(addTimestamp({ type: "CUSTOM", name: "approval_vote", value: event }, new Date()));
}

/** What the last vote makes of a question: it may approve although votes before it denied, or the other way round. */
function decided(outcome: Answer): Reaction {
  return { response: { answer: { approved: outcome["approved"] } }, outcome };
}

/**
 * Who writes: for a stranger in a channel the service itself. For this one write, a viewer with the right to answer has a
 * member's database rights.
 */
function answererIn(who: Principal, { vendorId, linkName }: Response): Tenant {
  if (vendorId !== undefined && linkName !== undefined) return serviceIn(who.workspaceId);
  return includesRole(who.role, "member") ? who : { ...who, role: "member" };
}

function factsOf(principal: Principal, { via, linkName }: Response, question: Question): string {
  const label = question.kind === "prompt" ? question.prompt.title : question.title;
  const who = linkName === undefined ? { answeredBy: answererOf(principal) } : { answeredName: linkName };
  return storableJson({ label, ...who, answeredVia: via } satisfies StepFacts);
}

/** The person who answers, as the facts of a step record it. */
export function answererOf({ userId, keyId }: Principal): NonNullable<StepFacts["answeredBy"]> {
  return { userId, ...(keyId !== null && { keyId }) };
}

/** For the list of questions. The creator of a link is not recorded as the one who answered. */
function recordOf(who: Principal, response: Response, outcome: Answer): AnswerRecord {
  const { linkName, vendorId = null, via } = response;
  const answer = storableJson(outcome);
  if (linkName !== undefined) return { userId: null, name: linkName, vendorId, via, answer };
  return { userId: who.userId, name: null, vendorId, via: channelOf(who, response), answer };
}

/** The channel of a member's answer: the vendor's, or that of the credentials. */
function channelOf(who: Principal, { vendorId, via }: Response): string {
  return vendorId === undefined ? sourceOf(who).kind : via;
}

/** The current question, validated. */
interface CurrentQuestion {
  readonly ids: InteractionIds;
  readonly question: Question;
  readonly answers: Answers;
}

const storedAnswers = z.record(z.string(), z.record(z.string(), z.unknown()));

async function lockAnswered(tx: Transaction, { subjectId, agentId, noun = "Task" }: Response): Promise<LockedRun> {
  const run = await lockAsking(tx, subjectId);
  if (run === undefined || (agentId !== undefined && run.agentId !== agentId)) throw notFound(noun);
  return run;
}

async function readOpenQuestion(
  tx: Transaction,
  { id, status }: LockedRun,
  { interactionId, noun = "Task" }: Response,
): Promise<CurrentQuestion> {
  const open = status === "waiting_for_input" ? await rows.readQuestion(tx, id) : undefined;
  if (open?.interactionId !== interactionId) await rejectLateVote(tx, interactionId);
  if (status !== "waiting_for_input") {
    throw new AppError("conflict", `${noun} is not waiting for input (status: ${status})`);
  }
  if (open?.interactionId !== interactionId) {
    throw new AppError("conflict", `The ${noun.toLowerCase()} does not wait for this interactionId`);
  }
  if (open.expired === true) throw new AppError("conflict", "The question has expired");
  return {
    ids: { interactionId, toolCallId: open.toolCallId },
    question: questionSchema.parse(open.question),
    answers: storedAnswers.parse(open.answers),
  };
}

/** The effect of an answer. */
interface Reaction {
  /** The answer as the stream contains it. */
  readonly response: { readonly wizardStepId?: string; readonly answer: Answer };
  /** The model's input when there is no next page. */
  readonly outcome: Answer;
  /** The next page of a wizard. */
  readonly next?: { readonly request: InteractionRequest; readonly answers: Answers };
}

function react(current: CurrentQuestion, body: Response["body"]): Reaction {
  const { question } = current;
  if (question.kind === "wizard") return reactInWizard({ ...current, question }, body);
  if (body["wizardStepId"] !== undefined || body["wizardCancelled"] !== undefined) {
    throw new AppError("bad_request", "This question is not a wizard");
  }
  const answer = readAnswer(question.prompt, body);
  return { response: { answer }, outcome: answer };
}

function reactInWizard(
  { ids, question, answers: earlier }: CurrentQuestion & { readonly question: Extract<Question, { kind: "wizard" }> },
  body: Response["body"],
): Reaction {
  const step = nextStep(question.steps, earlier);
  if (step === undefined) throw new Error("An open wizard must have an open page.");
  const { stepId } = step;
  const { wizardStepId, wizardCancelled } = body;
  if (wizardCancelled === true) {
    return {
      response: { wizardStepId: stepId, answer: { wizardCancelled } },
      outcome: { cancelled: true, answers: earlier },
    };
  }
  if (wizardCancelled !== undefined) throw new AppError("bad_request", "wizardCancelled may only be true");
  if (typeof wizardStepId !== "string") {
    throw new AppError("bad_request", `wizardStepId is required; the open step is "${stepId}"`);
  }
  if (wizardStepId !== stepId) {
    throw new AppError("conflict", `The wizard waits for the step "${stepId}", not for "${wizardStepId}"`);
  }
  const answer = readAnswer(step, body);
  const answers = { ...earlier, [stepId]: answer };
  const request = openRequest(question, ids, answers);
  return {
    response: { wizardStepId: stepId, answer },
    outcome: { cancelled: false, answers },
    ...(request !== undefined && { next: { request, answers } }),
  };
}

function eventsOf(logId: string, { interactionId }: Response, { response, next }: Reaction): string[] {
  const now = new Date();
  const thread = { threadId: logId } as const;
  const events = [
    addTimestamp({ type: "INTERACTION_RESPONSE", ...thread, interactionId, ...response }, now),
    ...(next === undefined ? [] : [addTimestamp({ type: "INTERACTION_REQUEST", ...thread, ...next.request }, now)]),
  ];
  return events.map((event) => JSON.stringify(event));
}

function asTexts({ request, answers }: NonNullable<Reaction["next"]>): NextStep {
  return { answers: JSON.stringify(answers), timeoutMs: request.timeoutMs, request: JSON.stringify(request) };
}
