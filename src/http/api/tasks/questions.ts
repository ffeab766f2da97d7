import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { QUESTION_CHANNELS, QUESTION_STATES, questionsQuery } from "#domain/tasks/question-list.ts";
import { createAnswerLink, linkInput } from "#operations/runs/answer-links.ts";
import { getQuestion, listQuestions } from "#operations/runs/list-questions.ts";
import { originOf } from "../../middleware/origin.ts";
import { openQuestion } from "#domain/tasks/open-question.ts";
import { respond, respondConsolePage, respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const time = z.iso.datetime().nullable();
const named = z.strictObject({ id: z.uuid(), name: z.string() }).nullable();

const questionRecord = z
  .strictObject({
    id: z.uuid().describe("The interactionId for the answer."),
    state: z.enum(QUESTION_STATES),
    subject: z
      .strictObject({ kind: z.enum(["task", "run"]), id: z.uuid(), title: z.string(), status: z.string() })
      .describe("The task or run that waits for the answer."),
    agent: named,
    team: named,
    request: openQuestion,
    asked_at: z.iso.datetime(),
    expires_at: time,
    answered_at: time,
    answered_by: named.describe("The person, or the owner of the key."),
    answered_via: z.enum(QUESTION_CHANNELS).nullable(),
    answered_name: z
      .string()
      .nullable()
      .describe("The name entered by a person who answered through a link, or that of a person in a channel."),
    answered_vendor_id: z.string().nullable().describe("The id of a person in a channel, as its vendor has it."),
    answer: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        "The answer; for a wizard, `answers` by page. null while it is open, and for answers to earlier versions.",
      ),
    votes: z
      .array(
        z.strictObject({
          by: named.unwrap(),
          approved: z.boolean(),
          via: z.enum(QUESTION_CHANNELS),
          at: z.iso.datetime(),
        }),
      )
      .describe("The votes on a question that a rule on approvals asks, in their order."),
    may_answer: z
      .array(named.unwrap())
      .nullable()
      .describe("Who may still vote now; null when no rule asks the question, or it is closed."),
    escalations: z
      .array(z.strictObject({ at: z.iso.datetime(), people: z.array(named.unwrap()) }))
      .nullable()
      .describe("Who may vote as well, and from when; null when no rule asks the question, or it is closed."),
    problem: z
      .string()
      .nullable()
      .describe("Why the approvals that it needs cannot come, and what follows; null while they can."),
  })
  .meta({ id: "Question" });

const questionPage = z
  .strictObject({ items: z.array(questionRecord), next_cursor: z.string().nullable() })
  .meta({ id: "QuestionPage" });

const questionParam = z.object({ id: givenId });

const answerLink = z
  .strictObject({
    link: z
      .url()
      .describe("Shown once. A person can open it and answer the question, once, under a name that they enter."),
    expires_at: time.describe("The latest expiry; null: that of the question."),
  })
  .meta({ id: "AnswerLink" });

/** Adds /console/api/questions: all questions to people in one list. */
export default function addQuestions(api: Api): void {
  addPath(api, "/console/api/questions", { tag: "Questions", endpoints: [list] });
  addPath(api, "/console/api/questions/{id}", { tag: "Questions", endpoints: [read] });
  addPath(api, "/console/api/questions/{id}/link", { tag: "Questions", endpoints: [create] });
}

const list = endpoint({
  method: "get",
  operationId: "listQuestions",
  summary: "List questions to people: open ones by deadline, or answered and expired ones",
  query: questionsQuery,
  success: { status: 200, schema: questionPage },
  async handle({ c, workspace, query }) {
    const { items, nextCursor } = await listQuestions(workspace, query);
    return respondConsolePage(c, items, nextCursor);
  },
});

const read = endpoint({
  method: "get",
  operationId: "getQuestion",
  summary: "Read a question, open or closed",
  params: questionParam,
  success: { status: 200, schema: questionRecord },
  handle: async ({ c, workspace, params }) => respond(c, await getQuestion(workspace, params.id)),
});

const create = endpoint({
  method: "post",
  operationId: "createAnswerLink",
  summary: "Create a one-time link to answer the open question without an account; the workspace must allow it",
  params: questionParam,
  body: linkInput,
  success: { status: 201, schema: answerLink },
  async handle({ c, workspace, params, body }) {
    const { expires_at: expiresAt } = body;
    const made = await createAnswerLink(workspace, { interactionId: params.id, expiresAt });
    return respondValue(
      c,
      { link: `${originOf(c, workspace)}/a#token=${made.token}`, expires_at: made.expires_at },
      201,
    );
  },
});
