import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { z } from "zod";
import { answerJson, startFakeServer } from "../fake-server.ts";
import type { FakeServer, SeenRequest } from "../fake-server.ts";

/** Which version a remote agent speaks, and whether it has streams. */
export interface RemoteAgentOptions {
  readonly protocol: "0.3" | "1.0";
  readonly streaming?: boolean;
  readonly name?: string;
  /** Serves the card only at agent.json. */
  readonly oldPath?: boolean;
  /** Its card names no endpoint. */
  readonly isMinimal?: boolean;
  /** Gives the message of a question another id each time it is read. */
  readonly freshIds?: boolean;
  /** What the word `file` makes it send. */
  readonly files?: readonly RemoteFile[];
}

/** One call of a method that a remote agent got. */
export interface RemoteCallSeen {
  readonly method: string;
  readonly text: string;
  readonly messageId: string | undefined;
  readonly taskId: string | undefined;
  readonly authorization: string | undefined;
  readonly version: string | undefined;
}

/** An agent of another provider, on loopback. What a message asks it to do is its first word: see {@link act}. */
export interface RemoteAgent extends FakeServer {
  readonly calls: readonly RemoteCallSeen[];
  /** Ends every task that is at work with this result. */
  finish(text: string): void;
  /** Every task that waits for an answer now waits for that of another question. */
  askInstead(question: string): void;
}

interface RemoteTask {
  readonly id: string;
  state: string;
  text: string;
  said: string;
  /** The id of what it says. */
  saidId?: string;
  /** What it asks after the answer to its question. */
  next?: string | undefined;
  /** The files of its artifact, inline. */
  files?: readonly RemoteFile[];
}

/** A file that a remote agent sends. */
export interface RemoteFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

const rpc = z.looseObject({
  id: z.unknown(),
  method: z.string(),
  params: z.looseObject({
    id: z.string().optional(),
    message: z
      .looseObject({
        messageId: z.string(),
        taskId: z.string().optional(),
        parts: z.array(z.looseObject({ text: z.string().optional() })),
      })
      .optional(),
  }),
});

const MEBIBYTE = 1_048_576;

/** Starts one. */
export async function startRemoteAgent(options: RemoteAgentOptions): Promise<RemoteAgent> {
  const {
    protocol,
    streaming = true,
    name = "Remote",
    oldPath = false,
    isMinimal = false,
    freshIds = false,
    files = [],
  } = options;
  const isNew = protocol === "1.0";
  const tasks = new Map<string, RemoteTask>();
  const calls: RemoteCallSeen[] = [];

  const stateOf = (state: string) => (isNew ? `TASK_STATE_${state.toUpperCase().replaceAll("-", "_")}` : state);
  const partOf = (text: string) => (isNew ? { text } : { kind: "text", text });
  const message = (text: string, messageId: string = randomUUID()) => ({
    ...(isNew ? { role: "ROLE_AGENT" } : { kind: "message", role: "agent" }),
    messageId,
    parts: [partOf(text)],
  });
  const filePart = ({ name: filename, type, base64 }: RemoteFile) =>
    isNew
      ? { raw: base64, filename, mediaType: type }
      : { kind: "file", file: { bytes: base64, name: filename, mimeType: type } };
  const shown = ({ id, state, text, said, saidId, files: sent = [] }: RemoteTask) => ({
    ...(!isNew && { kind: "task" }),
    id,
    contextId: "c1",
    status: { state: stateOf(state), ...(said !== "" && { message: message(said, freshIds ? undefined : saidId) }) },
    artifacts: text === "" ? [] : [{ artifactId: "a", parts: [partOf(text), ...sent.map(filePart)] }],
  });
  const asResult = (task: RemoteTask) => (isNew ? { task: shown(task) } : shown(task));
  const chunk = ({ id: taskId }: RemoteTask, ...parts: readonly object[]) => {
    const update = { taskId, contextId: "c1", artifact: { artifactId: "a", parts }, append: true };
    return isNew ? { artifactUpdate: update } : { kind: "artifact-update", ...update };
  };
  const change = ({ id: taskId, state }: RemoteTask) => {
    const update = { taskId, contextId: "c1", status: { state: stateOf(state) } };
    return isNew ? { statusUpdate: update } : { kind: "status-update", final: true, ...update };
  };

  function ask(task: RemoteTask, [said = "", next]: readonly string[]): void {
    Object.assign(task, { state: "input-required", said, saidId: randomUUID(), next });
  }

  /** Does what a message says. Returns the chunks of its stream. */
  function act(task: RemoteTask, text: string): readonly string[] {
    const [verb = "", ...rest] = text.split(" ");
    if (task.state === "input-required" && task.next !== undefined) ask(task, [task.next]);
    else if (task.state === "input-required") {
      Object.assign(task, { state: "completed", text: `You said ${text}`, said: "" });
    } else if (verb === "ask") ask(task, rest.join(" ").split(" | "));
    else if (verb === "fail") Object.assign(task, { state: "failed", said: "It did not work." });
    else if (verb === "file") Object.assign(task, { state: "completed", text: "Here they are.", files });
    else if (verb === "say") Object.assign(task, { state: "completed", text: rest.join(" ") });
    return task.state === "completed" ? task.text.split(/(?<= )/) : [];
  }

  function send(request: z.output<typeof rpc>, response: ServerResponse): void {
    const { id, params } = request;
    const { taskId, parts = [] } = params.message ?? {};
    const text = parts.map((part) => part.text ?? "").join("");
    if (text === "reply") {
      const reply = { ...message("a direct reply"), parts: [partOf("a direct reply"), ...files.map(filePart)] };
      return answerJson(response, { jsonrpc: "2.0", id, result: isNew ? { message: reply } : reply });
    }
    const found = tasks.get(taskId ?? "");
    // The client does not hear what its answer led to, or that it led to nothing.
    if (found !== undefined && text.startsWith("unheard")) return void act(found, text);
    if (found !== undefined && text.startsWith("lost")) return;
    const task = found ?? { id: randomUUID(), state: "working", text: "", said: "" };
    tasks.set(task.id, task);
    if (!request.method.toLowerCase().includes("stream")) {
      act(task, text);
      return answerJson(response, { jsonrpc: "2.0", id, result: asResult(task) });
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const event = (result: object) => response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    event(asResult({ ...task, state: "working", text: "" }));
    if (text === "endless") return flood(response, () => event(chunk(task, partOf("x".repeat(MEBIBYTE / 16)))));
    if (text === "break") {
      setTimeout(() => response.destroy(), 50);
      return;
    }
    if (text === "hang" || text === "drip") {
      if (text === "drip") event(chunk(task, partOf("so far")));
      return;
    }
    const chunks = act(task, text);
    for (const piece of chunks) event(chunk(task, partOf(piece)));
    for (const file of task.files ?? []) event(chunk(task, filePart(file)));
    event(task.state === "input-required" || task.state === "failed" ? asResult(task) : change(task));
    response.end();
  }

  function answer(seen: SeenRequest, response: ServerResponse): void {
    if (seen.method === "GET") return card(seen, response);
    const request = rpc.parse(JSON.parse(seen.body));
    const { id, method, params } = request;
    calls.push({
      method,
      text: params.message?.parts.map((part) => part.text ?? "").join("") ?? "",
      messageId: params.message?.messageId,
      taskId: params.message?.taskId ?? params.id,
      authorization: seen.headers.authorization,
      version: [seen.headers["a2a-version"]].flat()[0],
    });
    if (params.message !== undefined) return send(request, response);
    const task = tasks.get(params.id ?? "");
    if (task === undefined) return answerJson(response, { jsonrpc: "2.0", id, error: { code: -32001, message: "No" } });
    if (method.toLowerCase().includes("cancel")) task.state = "canceled";
    answerJson(response, { jsonrpc: "2.0", id, result: shown(task) });
  }

  function card({ path }: SeenRequest, response: ServerResponse): void {
    const isOld = path.endsWith("/agent.json");
    if (isOld !== oldPath) return answerJson(response, { error: "not found" }, 404);
    if (isMinimal) {
      const skills = [{ id: "s", name: "Everything", description: "Does everything." }];
      return answerJson(response, { name, description: "Does things.", version: "2.1", skills });
    }
    const common = { name, description: "Does things.", version: "2.1", capabilities: { streaming } };
    const skills = [{ id: "s", name: "Everything", description: "Does everything.", tags: [] }];
    const url = `${server.url}/rpc`;
    const place = isNew
      ? { supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }] }
      : { protocolVersion: "0.3.0", url, preferredTransport: "JSONRPC" };
    answerJson(response, { ...common, skills, ...place });
  }

  const server = await startFakeServer(answer);
  return {
    ...server,
    calls,
    askInstead(question) {
      for (const task of tasks.values()) if (task.state === "input-required") ask(task, [question]);
    },
    finish(text) {
      for (const task of tasks.values())
        if (task.state === "working") Object.assign(task, { state: "completed", text });
    },
  };
}

/** Writes without end, as fast as the other side reads. */
function flood(response: ServerResponse, write: () => boolean): void {
  const more = () => {
    while (!response.destroyed && write());
  };
  response.on("drain", more);
  more();
}
