import type { ServerResponse } from "node:http";
import { AgentCard, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from "@a2a-js/sdk";
import * as sdk1 from "@a2a-js/sdk/server";
import * as sdk0 from "a2a-sdk-0/server";
import { z } from "zod";
import { answerJson, startFakeServer } from "../fake-server.ts";
import type { FakeServer } from "../fake-server.ts";

/** Which official SDK a server is made with: 1.3 speaks 1.0, 0.3.14 speaks 0.3. */
export interface OfficialServerOptions {
  readonly protocol: "0.3" | "1.0";
  readonly streaming: boolean;
  /** Only for 1.0; by default JSON-RPC. */
  readonly binding?: "HTTP+JSON";
}

/** Handles the body of a JSON-RPC request: its response, or those of a stream. */
type Handle = (body: string) => Promise<object>;

/**
 * Starts an A2A server of the official SDK. The first word of a message says what its agent does: `say` something,
 * `ask` a question, `fail`, or `hang` until it is cancelled; any answer to a question ends the task.
 */
export async function startOfficialA2aServer({
  protocol,
  streaming,
  binding,
}: OfficialServerOptions): Promise<FakeServer> {
  let handle: Handle | undefined;
  const server = await startFakeServer(({ method, path, body }, response) => {
    if (path.startsWith("/.well-known/"))
      return answerJson(response, cardOf({ protocol, streaming, binding }, server.url));
    handle ??= (protocol === "1.0" ? handler1 : handler0)(server.url, streaming);
    if (binding === undefined) return void handle(body).then((answer) => respond(response, answer));
    void handle(rpcOf(method, path, body)).then((answer) => respondRest(response, answer));
  });
  return server;
}

/** The request of JSON-RPC for one of HTTP+JSON. */
function rpcOf(verb: string, path: string, body: string): string {
  const [, id, action] = /^\/tasks\/([^/:]+)(:cancel)?$/.exec(path) ?? [];
  const method =
    id !== undefined
      ? verb === "GET" && action === undefined
        ? "GetTask"
        : "CancelTask"
      : { "/message:send": "SendMessage", "/message:stream": "SendStreamingMessage" }[path];
  const params = id === undefined ? JSON.parse(body) : { id };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

const rpcAnswer = z.looseObject({
  result: z.unknown(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});

/** Answers in the form of HTTP+JSON: the result alone, or a google.rpc.Status. */
async function respondRest(response: ServerResponse, answer: object): Promise<void> {
  if (!isStream(answer)) {
    const { result, error } = rpcAnswer.parse(answer);
    if (error === undefined) return answerJson(response, result);
    const isMissing = error.code === -32001;
    const details = [{ reason: isMissing ? "TASK_NOT_FOUND" : "UNSUPPORTED_OPERATION" }];
    return answerJson(response, { error: { message: error.message, details } }, isMissing ? 404 : 400);
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for await (const event of answer) response.write(`data: ${JSON.stringify(rpcAnswer.parse(event).result)}\n\n`);
  response.end();
}

async function respond(response: ServerResponse, answer: object): Promise<void> {
  if (!isStream(answer)) return answerJson(response, answer);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for await (const event of answer) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function isStream(answer: object): answer is AsyncIterable<unknown> {
  return Symbol.asyncIterator in answer;
}

type Described = Pick<OfficialServerOptions, "protocol" | "streaming"> & {
  readonly binding?: OfficialServerOptions["binding"] | "JSONRPC" | undefined;
};

function cardOf({ protocol, streaming, binding = "JSONRPC" }: Described, url: string) {
  const common = {
    name: `SDK for ${protocol}`,
    description: "An agent of the official SDK.",
    version: "1.0.0",
    capabilities: { streaming },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  };
  return protocol === "1.0"
    ? { ...common, supportedInterfaces: [{ url: `${url}/`, protocolBinding: binding, protocolVersion: "1.0" }] }
    : { ...common, protocolVersion: "0.3.0", url: `${url}/`, preferredTransport: "JSONRPC" };
}

/** What an agent makes of a message, in the words of 0.3. */
interface Deed {
  readonly state: "working" | "completed" | "failed" | "input-required";
  readonly text: string;
}

function deedOf(message: string, isAnswer: boolean): Deed {
  const [verb = "", ...words] = message.split(" ");
  const text = words.join(" ");
  if (isAnswer) return { state: "completed", text: `You said ${message}` };
  if (verb === "say") return { state: "completed", text };
  if (verb === "ask") return { state: "input-required", text };
  return verb === "hang" ? { state: "working", text: "" } : { state: "failed", text };
}

function handler1(url: string, streaming: boolean): Handle {
  const named = (state: string) => `TASK_STATE_${state.toUpperCase().replaceAll("-", "_")}`;
  const statusOf = (ids: object, state: string, text = "") =>
    TaskStatusUpdateEvent.fromJSON({
      ...ids,
      status: {
        state: named(state),
        ...(text !== "" && { message: { messageId: crypto.randomUUID(), role: "ROLE_AGENT", parts: [{ text }] } }),
      },
    });
  const executor: sdk1.AgentExecutor = {
    async execute({ taskId, contextId, userMessage, task }, bus) {
      const ids = { taskId, contextId };
      const said = userMessage.parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
      const { state, text } = deedOf(said, task !== undefined);
      bus.publish(
        sdk1.AgentEvent.task(task ?? Task.fromJSON({ id: taskId, contextId, status: { state: named("submitted") } })),
      );
      bus.publish(sdk1.AgentEvent.statusUpdate(statusOf(ids, "working")));
      if (state === "working") return new Promise(() => undefined);
      if (state === "completed") {
        const artifact = { artifactId: "a", parts: [{ text }] };
        bus.publish(
          sdk1.AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON({ ...ids, artifact, lastChunk: true })),
        );
      }
      bus.publish(sdk1.AgentEvent.statusUpdate(statusOf(ids, state, state === "completed" ? "" : text)));
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      bus.publish(sdk1.AgentEvent.statusUpdate(statusOf({ taskId, contextId: "" }, "canceled")));
      bus.finished();
    },
  };
  const card = AgentCard.fromJSON(cardOf({ protocol: "1.0", streaming }, url));
  const rpc = new sdk1.JsonRpcTransportHandler(
    new sdk1.DefaultRequestHandler(card, new sdk1.InMemoryTaskStore(), executor),
  );
  return (body) => rpc.handle(body, new sdk1.ServerCallContext({ requestedVersion: "1.0" }));
}

function handler0(url: string, streaming: boolean): Handle {
  const executor: sdk0.AgentExecutor = {
    async execute({ taskId, contextId, userMessage, task }, bus) {
      const ids = { taskId, contextId };
      const said = userMessage.parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
      const { state, text } = deedOf(said, task !== undefined);
      if (task === undefined) bus.publish({ kind: "task", id: taskId, contextId, status: { state: "submitted" } });
      bus.publish({ kind: "status-update", ...ids, status: { state: "working" }, final: false });
      if (state === "working") return new Promise(() => undefined);
      if (state === "completed") {
        const artifact = { artifactId: "a", parts: [{ kind: "text" as const, text }] };
        bus.publish({ kind: "artifact-update", ...ids, artifact, lastChunk: true });
      }
      const parts = [{ kind: "text" as const, text }];
      const message = { kind: "message" as const, messageId: crypto.randomUUID(), role: "agent" as const, parts };
      const status = { state, ...(state !== "completed" && { message }) };
      bus.publish({ kind: "status-update", ...ids, status, final: true });
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      bus.publish({ kind: "status-update", taskId, contextId: "", status: { state: "canceled" }, final: true });
      bus.finished();
    },
  };
  const card = { ...cardOf({ protocol: "0.3", streaming }, url), url, protocolVersion: "0.3.0" };
  const rpc = new sdk0.JsonRpcTransportHandler(
    new sdk0.DefaultRequestHandler(card, new sdk0.InMemoryTaskStore(), executor),
  );
  return (body) => rpc.handle(JSON.parse(body));
}
