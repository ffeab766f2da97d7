import { z } from "zod";
import { requireScope } from "#domain/access/principal.ts";
import type { Principal } from "#domain/access/principal.ts";
import { notAsked, provesNobody } from "#domain/approvals/voter.ts";
import { AppError, orNotFound } from "#domain/errors.ts";
import { givenTime } from "#domain/given-time.ts";
import { approversOfQuestion, orderOf, question as questionSchema } from "#domain/tasks/interaction.ts";
import type { Question } from "#domain/tasks/interaction.ts";
import { tallyText } from "#domain/people/question-message.ts";
import { openQuestion } from "#domain/tasks/open-question.ts";
import type { AskedQuestion } from "#domain/tasks/open-question.ts";
import { isTerminal } from "#domain/tasks/task-status.ts";
import { whyNoApprover } from "#domain/tasks/approvers.ts";
import * as rows from "#db/queries/conversations/mcp-calls.ts";
import type { McpCallRow } from "#db/queries/conversations/mcp-calls.ts";
import { isUuid } from "#lib/ids.ts";
import { readCursor, writeCursor } from "../list-cursor.ts";
import { respond } from "../runs/respond.ts";
import { updateTask } from "../tasks/tasks.ts";
import type { Workspace } from "../workspace.ts";

const PAGE = 50;

/** A call of a tool: the task that it became. */
export interface McpCall extends Omit<McpCallRow, "interaction" | "question" | "votes" | "is_voter"> {
  /** The open question, also one that others answer. */
  readonly open: CallQuestion | undefined;
  /** The open question, if the caller is to answer it. */
  readonly question: CallQuestion | undefined;
  /** What the call waits for, in sentences for people: the question, the votes on it, and why the caller has none. */
  readonly waitsFor: string | undefined;
}

/** A question of a call. */
export interface CallQuestion {
  /** Its name within the call; the pages of a wizard have different ones. */
  readonly key: string;
  readonly asked: AskedQuestion;
  /** How far it is decided, and how many approvals are missing; empty for a question that no rule asks. */
  readonly standing: string;
}

/**
 * Reads a call that the caller made, at any process and at any time.
 * @throws AppError `not_found`, also for the call of another key
 */
export async function readCall(workspace: Workspace, id: string): Promise<McpCall> {
  const { who } = workspace;
  const row = isUuid(id) ? await rows.readMcpCall(workspace, { clientId: clientOf(who), id }) : undefined;
  return describe(who, orNotFound("Task")(row));
}

const callsCursor = z.tuple([givenTime, z.uuid()]);

/**
 * Lists the calls that the caller made, newest first.
 * @throws AppError `bad_request` for the cursor of another list
 */
export async function listCalls(
  workspace: Workspace,
  cursor: string | undefined,
): Promise<{ readonly calls: readonly McpCall[]; readonly nextCursor: string | undefined }> {
  const { who } = workspace;
  const place = cursor === undefined ? undefined : readCursor(cursor, callsCursor);
  if (cursor !== undefined && place === undefined) {
    throw new AppError("bad_request", "cursor must be the nextCursor of this list.");
  }
  const after = place && { createdAt: place[0], id: place[1] };
  const found = await rows.listMcpCalls(workspace, { clientId: clientOf(who), after, limit: PAGE + 1 });
  const calls = found.slice(0, PAGE).map((row) => describe(who, row));
  const last = found.length > PAGE ? calls.at(-1) : undefined;
  return { calls, nextCursor: last && writeCursor(callsCursor, [last.created_at, last.id]) };
}

/**
 * Answers the open question of a call, or votes on it. Returns false when it waits for another one, or for none.
 * @throws AppError `bad_request` when the answer does not match the question, `forbidden` when the caller may not answer
 * it; it then stays open
 */
export async function answerCall(
  workspace: Workspace,
  {
    call,
    key,
    answer,
  }: { readonly call: McpCall; readonly key: string; readonly answer: Readonly<Record<string, unknown>> },
): Promise<boolean> {
  const { open } = call;
  if (open?.key !== key) return false;
  const { interactionId, wizardStepId } = open.asked;
  const step = wizardStepId !== undefined && answer["wizardCancelled"] === undefined && { wizardStepId };
  try {
    const body = { ...step, ...answer };
    await respond(workspace, { subjectId: call.id, interactionId, body, via: "mcp" });
    return true;
  } catch (error) {
    // Somebody else was faster.
    if (error instanceof AppError && error.code === "conflict") return false;
    throw error;
  }
}

/** Cancels a call, unless it has ended. @throws AppError `forbidden` */
export async function cancelCall(workspace: Workspace, { id, status }: Pick<McpCall, "id" | "status">): Promise<void> {
  requireScope(workspace.who, "write");
  if (isTerminal(status)) return;
  try {
    await updateTask(workspace, { id, patch: { status: "cancelled" } });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
  }
}

/** The client of calls: a key, or a signed-in person. */
export function clientOf({ keyId, userId }: Principal): string {
  return keyId ?? userId;
}

function describe(who: Principal, { interaction, question, votes, is_voter: isVoter, ...row }: McpCallRow): McpCall {
  const asked = row.status === "waiting_for_input" ? openQuestion.safeParse(interaction).data : undefined;
  const stored = questionSchema.safeParse(question).data;
  if (asked === undefined || stored === undefined) {
    return { ...row, open: undefined, question: undefined, waitsFor: undefined };
  }
  const open = { key: keyOf(asked), asked, standing: standingOf(asked, votes) };
  const reason = whyNotBy(who, { stored, isVoter });
  const hasVoted = votes.some(({ by }) => by.id === who.userId);
  const isForTools = stored.kind === "prompt" && stored.clientCalls !== undefined;
  return {
    ...row,
    open,
    question: reason === undefined && !hasVoted && !isForTools ? open : undefined,
    waitsFor: [`Waiting for an answer: ${asked.title}`, open.standing, reason ?? ""]
      .filter((part) => part !== "")
      .join(" "),
  };
}

function keyOf({ interactionId, wizardStepId }: AskedQuestion): string {
  return wizardStepId === undefined ? interactionId : `${interactionId}:${wizardStepId}`;
}

function standingOf(asked: AskedQuestion, votes: McpCallRow["votes"]): string {
  if (asked.approval === undefined) return "";
  const missing = asked.approval.need - votes.filter(({ approved }) => approved).length;
  const tally = tallyText(
    asked,
    votes.map(({ by, approved }) => ({ name: by.name, approved })),
  );
  return `${tally} ${missing} more ${missing === 1 ? "approval is" : "approvals are"} needed.`;
}

/** Why the caller may not answer a question; undefined if he may. */
function whyNotBy(
  who: Principal,
  { stored, isVoter }: { readonly stored: Question; readonly isVoter: boolean },
): string | undefined {
  const order = orderOf(stored);
  if (order === undefined) return whyNoApprover(approversOfQuestion(stored), { keyId: who.keyId, isByLink: false });
  return provesNobody(order, { ...who, isByLink: false }) ?? (isVoter ? undefined : notAsked(order, who));
}
