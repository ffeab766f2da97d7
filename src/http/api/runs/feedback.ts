import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { feedbackInput, feedbackRecord } from "#domain/runs/feedback.ts";
import { giveFeedback, listFeedback, withdrawFeedback } from "#operations/runs/feedback.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

const PATH = "/console/api/runs/{id}/feedback";

/** Adds /console/api/runs/{id}/feedback: what people say of a run and of its messages. */
export default function addFeedback(api: Api): void {
  addPath(api, PATH, { tag: "Runs", endpoints: [list, give] });
  addPath(api, `${PATH}/{feedback_id}`, { tag: "Runs", endpoints: [withdraw] });
}

const list = endpoint({
  method: "get",
  operationId: "listRunFeedback",
  summary: "List the feedback on a run and its messages, in all attempts, oldest first",
  params: idQuery,
  success: { status: 200, schema: z.array(feedbackRecord) },
  handle: async ({ c, workspace, params }) => respondValue(c, await listFeedback(workspace, params.id)),
});

const give = endpoint({
  method: "put",
  operationId: "giveRunFeedback",
  summary: "Give feedback on a run or a message: it replaces your own of before",
  params: idQuery,
  body: feedbackInput,
  success: { status: 200, schema: feedbackRecord },
  handle: async ({ c, workspace, params, body }) =>
    respondValue(c, await giveFeedback(workspace, { ...body, runId: params.id, surface: "console" })),
});

const withdraw = endpoint({
  method: "delete",
  operationId: "withdrawRunFeedback",
  summary: "Withdraw your feedback; an admin deletes anybody's",
  params: idQuery.extend({ feedback_id: givenId }),
  success: { status: 204 },
  handle: ({ workspace, params }) => withdrawFeedback(workspace, { runId: params.id, id: params.feedback_id }),
});
