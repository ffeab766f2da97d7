import { z } from "zod";
import { QUESTION_STATES } from "#domain/tasks/question-list.ts";
import { answerByLink, linkAnswer, linkToken, readLinkedQuestion } from "#operations/tasks/answer-links.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { readBody } from "../middleware/read-body.ts";
import { clientOf } from "./client.ts";

const time = z.iso.datetime().nullable();

const linkedQuestion = z
  .strictObject({
    workspace: z.string().describe("Its name."),
    asker: z.string().nullable().describe("The agent or team that asks."),
    title: z.string().describe("The title of the task or run that waits for the answer."),
    state: z.enum(QUESTION_STATES),
    request: z.record(z.string(), z.unknown()).describe("The question as in the event INTERACTION_REQUEST."),
    expires_at: time,
    answered_at: time,
    answered_by: z.string().nullable().describe("The name of the person who answered."),
  })
  .meta({ id: "LinkedQuestion" });

/** Adds /auth/answer-link: the question of a link, without a session. Only POST is served: mail scanners open links. */
export default function addAnswerLinks(api: Api): void {
  addPath(api, "/auth/answer-link", {
    tag: "Accounts",
    endpoints: [
      {
        method: "post",
        operationId: "readAnswerLink",
        needs: "public",
        summary: "Read the question of an answer link",
        body: linkToken,
        success: { status: 200, schema: linkedQuestion },
        handle: read,
      },
    ],
  });
  addPath(api, "/auth/answer-link/answer", {
    tag: "Accounts",
    endpoints: [
      {
        method: "post",
        operationId: "answerByLink",
        needs: "public",
        summary: "Answer the question of an answer link under your name; the first answer wins",
        body: linkAnswer,
        success: { status: 200, schema: linkedQuestion },
        handle: answer,
      },
    ],
  });
}

async function read(c: HttpContext, services: HttpServices): Promise<Response> {
  const { token } = await readBody(c, linkToken);
  return respondValue(c, await readLinkedQuestion(services, token, clientOf(c, services)));
}

async function answer(c: HttpContext, services: HttpServices): Promise<Response> {
  return respondValue(c, await answerByLink(services, await readBody(c, linkAnswer), clientOf(c, services)));
}
