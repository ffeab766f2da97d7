import { z } from "zod";
import { RUN_SOURCES } from "#domain/runs/run-source.ts";
import { INTERACTION_TYPES } from "#domain/tasks/interaction.ts";
import { QUESTION_STATES, questionsQuery } from "#domain/tasks/question-list.ts";
import { listQuestions } from "#operations/tasks/list-questions.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { readQuery } from "../../middleware/read-body.ts";
import { respondConsolePage } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

const time = z.iso.datetime().nullable();
const named = z.strictObject({ id: z.uuid(), name: z.string() }).nullable();

const questionRecord = z
  .strictObject({
    id: z.uuid().describe("The interactionId, with which the question is answered."),
    state: z.enum(QUESTION_STATES),
    subject: z
      .strictObject({ kind: z.enum(["task", "run"]), id: z.uuid(), title: z.string() })
      .describe("The work that waits for the answer."),
    agent: named,
    team: named,
    request: z
      .looseObject({
        interactionId: z.string(),
        interactionType: z.enum(INTERACTION_TYPES),
        title: z.string(),
        description: z.string(),
      })
      .describe(
        "The question as in the event INTERACTION_REQUEST; of a wizard, the page that is open or was the last.",
      ),
    asked_at: z.iso.datetime(),
    expires_at: time,
    answered_at: time,
    answered_by: named.describe("The person, or the one whose key it was."),
    answered_via: z.enum(RUN_SOURCES).nullable(),
  })
  .meta({ id: "Question" });

const questionPage = z
  .strictObject({ items: z.array(questionRecord), next_cursor: z.string().nullable() })
  .meta({ id: "QuestionPage" });

/** Adds /console/api/questions: what people are asked, in one list. */
export function addQuestions(api: Api): void {
  addPath(api, "/console/api/questions", {
    tag: "Questions",
    endpoints: [
      {
        method: "get",
        operationId: "listQuestions",
        summary: "List questions to people: open ones by deadline, or those that were answered or have expired",
        query: questionsQuery,
        success: { status: 200, schema: questionPage },
        handle: list,
      },
    ],
  });

  async function list(c: HttpContext, services: HttpServices): Promise<Response> {
    const { items, nextCursor } = await listQuestions(services, c.get("principal"), readQuery(c, questionsQuery));
    return respondConsolePage(c, items, nextCursor);
  }
}
