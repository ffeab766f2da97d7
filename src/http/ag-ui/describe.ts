import type { RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import { RATINGS } from "#domain/runs/feedback.ts";
import { answerFields } from "#domain/tasks/answer.ts";
import { headerRefs } from "../api/shape/components.ts";
import type { Registry } from "../api/shape/components.ts";
import { streamEvent } from "#protocols/ag-ui/event-schemas.ts";

const error = z.object({ error: z.string() }).meta({ id: "StreamError" });
const answered = z.object({ ok: z.literal(true), interactionId: z.string() }).meta({ id: "StreamAnswered" });
const health = z.object({ status: z.literal("ok"), protocol: z.literal("ag-ui"), version: z.string() });
const attempt = z.int32().positive().optional().describe("An earlier attempt; by default the current one.");
const runId = z.string().optional().describe("Your own id of the run, which the events repeat.");
const messages = z
  .array(z.looseObject({ id: z.string().optional(), role: z.string(), content: z.unknown() }))
  .optional()
  .describe("A standard AG-UI client's messages; a new user message continues the thread.");

const streamRequest = z
  .looseObject({
    threadId: z.string().max(200).optional().describe("The id of the task; a message may start a new thread."),
    runId,
    attempt,
    messages,
    tools: z
      .array(z.looseObject({ name: z.string() }))
      .optional()
      .describe("Tools that the client executes."),
    context: z
      .array(z.looseObject({ description: z.string(), value: z.unknown() }))
      .optional()
      .describe("What the model should know with a new message, marked as the client's."),
    resume: z
      .array(z.looseObject({ interruptId: z.string(), status: z.enum(["resolved", "cancelled"]) }))
      .optional()
      .describe(
        "The answer to an interrupt. A cancelled one may come with a new message, which is then answered instead.",
      ),
  })
  .meta({ id: "StreamTaskRequest", examples: [{ threadId: "01a1f0c2-5a30-7000-8000-000000000002" }] });
const streamRunRequest = z
  .looseObject({ runId, attempt, messages })
  .meta({ id: "StreamTeamRunRequest", examples: [{ attempt: 1 }] });

const feedbackRequest = z
  .looseObject({
    rating: z.enum(RATINGS).optional(),
    note: z.string().optional(),
    correction: z.string().optional().describe("What the answer should have been."),
    messageId: z.string().optional().describe("The message that it is about; by default the run as a whole."),
    attempt,
  })
  .meta({ id: "FeedbackStreamRequest", examples: [{ rating: "down", note: "The total is wrong." }] });
const rated = z.object({ ok: z.literal(true), feedbackId: z.string() }).meta({ id: "StreamRated" });

const answerExample = { interactionId: "0e7c5a64-2f4b-4c5e-9a37-4b1d7c7e9d10", approved: true };
const answerRequest = answerFields.extend({ threadId: z.string(), interactionId: z.string() }).meta({
  id: "AnswerStreamRequest",
  examples: [{ threadId: "01a1f0c2-5a30-7000-8000-000000000002", ...answerExample }],
});
const answerRunRequest = answerFields
  .extend({ interactionId: z.string() })
  .meta({ id: "AnswerRunStreamRequest", examples: [answerExample] });

/** Describes the AG-UI surface for the OpenAPI document. */
export function describeAgUi(registry: Registry): void {
  registry.registerComponent("securitySchemes", "streamKey", {
    type: "http",
    scheme: "bearer",
    description: "An AG-UI, A2A or envelope key, a stream token, or the access token of a signed-in person.",
  });
  for (const route of [
    streamOperation("/ag-ui/{agentId}/sse", "streamTask", "agentId", streamRequest),
    streamOperation("/ag-ui/runs/{runId}/sse", "streamTeamRun", "runId", streamRunRequest),
    answerOperation("/ag-ui/{agentId}/respond", "answerTaskStream", "agentId", answerRequest),
    answerOperation("/ag-ui/runs/{runId}/respond", "answerRunStream", "runId", answerRunRequest),
    {
      ...operation("/ag-ui/runs/{runId}/feedback", "rateStreamedRun", {
        parameter: "runId",
        body: feedbackRequest,
        isBodyRequired: true,
      }),
      summary: "Give feedback on a task, a team run or a message",
      description: "It replaces your own of before. One of rating, note and correction is needed, and the scope write.",
      responses: {
        200: {
          description: "The feedback is recorded.",
          headers: headerRefs(["X-Request-Id"]),
          content: { "application/json": { schema: rated } },
        },
        ...errorResponses([400, 401, 403, 404, 413, 500, 503]),
      },
    },
  ]) {
    registry.registerPath(route);
  }
  registry.registerPath({
    method: "get",
    path: "/ag-ui/health",
    tags: ["Streams"],
    operationId: "getAgUiHealth",
    summary: "Check whether the AG-UI API is available",
    description: "Needs no key.",
    security: [],
    responses: {
      200: {
        description: "The AG-UI API is available.",
        headers: headerRefs(["X-Request-Id"]),
        content: { "application/json": { schema: health } },
      },
      ...errorResponses([400, 503]),
    },
  });
}

const INTERRUPTS = {
  name: "interrupts",
  in: "query" as const,
  required: false,
  description: "false: a question to a person does not end the stream of a standard AG-UI client.",
  schema: { type: "string" as const, enum: ["true", "false"], default: "true" },
  example: "false",
};

function streamOperation(
  path: string,
  operationId: string,
  parameter: "agentId" | "runId",
  body: z.ZodType,
): RouteConfig {
  const what = parameter === "agentId" ? "a task" : "a team run";
  return {
    ...operation(path, operationId, { parameter, body, isBodyRequired: parameter === "agentId" }),
    summary: `Follow ${what} as server-sent events`,
    description:
      "Starts with the first event of the current attempt, or after `Last-Event-ID`, and ends after the last event. " +
      "To resume an interrupted stream, repeat the request with the id of the last event received.",
    parameters: [
      ...(parameter === "agentId" ? [INTERRUPTS] : []),
      {
        name: "Last-Event-ID",
        in: "header" as const,
        required: false,
        description: "The id of the last event that you received.",
        schema: { type: "string" as const },
        example: "17",
      },
    ],
    responses: {
      200: {
        description: "The events, one JSON document each.",
        headers: headerRefs(["X-Request-Id"]),
        content: { "text/event-stream": { schema: streamEvent } },
      },
      204: { description: "The run has ended, and you have its last event.", headers: headerRefs(["X-Request-Id"]) },
      ...errorResponses([400, 401, 403, 404, 409, 413, 429, 500, 503]),
    },
  };
}

function answerOperation(
  path: string,
  operationId: string,
  parameter: "agentId" | "runId",
  body: z.ZodType,
): RouteConfig {
  const who = parameter === "agentId" ? "a task" : "a team run";
  return {
    ...operation(path, operationId, { parameter, body, isBodyRequired: true }),
    summary: `Answer the open question of ${who}`,
    description: "Only the first answer counts. Needs the scope write.",
    responses: {
      200: {
        description: "The run continues.",
        headers: headerRefs(["X-Request-Id"]),
        content: { "application/json": { schema: answered } },
      },
      ...errorResponses([400, 401, 403, 404, 409, 413, 500, 503]),
    },
  };
}

function operation(
  path: string,
  operationId: string,
  about: { readonly parameter: string; readonly body: z.ZodType; readonly isBodyRequired: boolean },
): Omit<RouteConfig, "responses"> {
  const { parameter, body, isBodyRequired } = about;
  return {
    method: "post",
    path,
    tags: ["Streams"],
    operationId,
    security: [{ streamKey: [] }],
    request: {
      params: z.object({ [parameter]: z.string() }),
      body: { content: { "application/json": { schema: body } }, required: isBodyRequired },
    },
  };
}

function errorResponses(statuses: readonly number[]): RouteConfig["responses"] {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: "Rejected; `error` says why.",
        headers: headerRefs(["X-Request-Id", ...(status === 429 || status === 503 ? ["Retry-After" as const] : [])]),
        content: { "application/json": { schema: error } },
      },
    ]),
  );
}
