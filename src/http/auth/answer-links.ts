import { z } from "zod";
import { QUESTION_STATES } from "#domain/tasks/question-list.ts";
import { answerByLink, linkAnswer, linkToken, readLinkedQuestion } from "#operations/runs/answer-links.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { clientOf } from "./client.ts";
import { endpoint } from "../api/shape/endpoint.ts";

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
  addPath(api, "/auth/answer-link", { tag: "Accounts", endpoints: [read] });
  addPath(api, "/auth/answer-link/answer", { tag: "Accounts", endpoints: [answer] });
}

const read = endpoint({
  method: "post",
  operationId: "readAnswerLink",
  needs: "public",
  summary: "Read the question of an answer link",
  body: linkToken,
  success: { status: 200, schema: linkedQuestion },
  async handle({ c, services, body }) {
    const { token } = body;
    return respondValue(c, await readLinkedQuestion(services, token, clientOf(c, services)));
  },
});

const answer = endpoint({
  method: "post",
  operationId: "answerByLink",
  needs: "public",
  summary: "Answer the question of an answer link under your name; the first answer wins",
  body: linkAnswer,
  success: { status: 200, schema: linkedQuestion },
  handle: async ({ c, services, body }) => respondValue(c, await answerByLink(services, body, clientOf(c, services))),
});
