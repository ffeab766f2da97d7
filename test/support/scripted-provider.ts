import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { eventually } from "./eventually.ts";
import { asChatRequest } from "./providers/as-chat.ts";
import { chatWire, responsesWire } from "./providers/scripted-wire.ts";
import type { IncompleteReason, ScriptedWire, TokenKinds } from "./providers/scripted-wire.ts";

const TITLE = /^Task Title: (.*)$/m;

const part = z.looseObject({
  text: z.string().optional(),
  image_url: z.looseObject({ url: z.string() }).optional(),
});

const parts = z.array(part);

const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.union([z.string(), parts.transform((list) => list.map(({ text }) => text ?? "").join(""))]).nullish(),
    }),
  ),
});

const shown = z.looseObject({ messages: z.array(z.looseObject({ content: z.unknown() })) });

/** The body of a call in the form of OpenAI's Chat Completions. */
export type ChatRequest = z.output<typeof chatRequest>;

/** One call that the provider got. */
export interface ProviderCall {
  /** The title of the task that the conversation is about. */
  readonly task: string;
  /** How many answers of the model the conversation holds already. */
  readonly turn: number;
  /** How often this turn of this task was requested so far, from 1. */
  readonly nth: number;
  readonly body: ChatRequest;
  /** The pictures in it, as data URLs. */
  readonly images: readonly string[];
  readonly headers: IncomingMessage["headers"];
  /** When it came, by `performance.now()`. */
  readonly at: number;
  /** Resolves when the caller has gone away before the answer was complete. */
  readonly gone: Promise<void>;
}

/** How a script answers; it can take its time between the pieces, or never finish. */
export interface ProviderReply {
  /** Sends these headers with the answer; call it first. */
  tell(headers: Readonly<Record<string, string>>): void;
  /** Sends a piece of text. */
  say(delta: string): void;
  /** Sends a piece of reasoning, which ends with the next text or call. */
  think(delta: string): void;
  /** Resolves when the connection takes more, or is closed. */
  hasRoom(): Promise<void>;
  /** Asks for a tool call, complete in one piece. */
  callTool(name: string, args: unknown, id?: string): void;
  /**
   * Ends the answer in good order, unless it was rejected; 11 prompt and 7 completion tokens.
   * @param reason why it is incomplete
   * @param kinds how many of the tokens were cached, or reasoning
   */
  finish(reason?: IncompleteReason, kinds?: TokenKinds): void;
  /** Rejects with a status and the provider's usual error body. */
  refuse(status: number, message: string, headers?: Readonly<Record<string, string>>): void;
  /** Breaks the connection in the middle of the answer. */
  abortConnection(): void;
  /** Answers with 200 and these very bytes. */
  sendRaw(contentType: string, body: string): void;
}

/** What the provider does with a call. */
export type Script = (call: ProviderCall, reply: ProviderReply) => void | Promise<void>;

/**
 * A fake of OpenAI's Responses API and Chat Completions that does with each call what its script says; it refuses to
 * embed. Scripts and tests see the requests of both in the form of Chat Completions.
 */
export interface ScriptedProvider {
  /** What OPENAI_BASE_URL is set to. */
  readonly baseUrl: string;
  /** The settings with which a service uses it as OpenAI. */
  readonly env: { readonly OPENAI_BASE_URL: string; readonly OPENAI_API_KEY: string };
  readonly calls: readonly ProviderCall[];
  /** The calls of a task, in order; those of one turn only when it is given. */
  callsOf(task: string, turn?: number): readonly ProviderCall[];
  /** Waits for the nth call of a turn of a task. */
  called(task: string, turn: number, nth?: number): Promise<ProviderCall>;
  close(): Promise<void>;
}

/** Starts a fake provider on loopback. */
export async function startScriptedProvider(script: Script): Promise<ScriptedProvider> {
  const calls: ProviderCall[] = [];
  const callsOf = (task: string, turn?: number) =>
    calls.filter((call) => call.task === task && (turn === undefined || call.turn === turn));

  const server = createServer(async (request, response) => {
    if (request.url?.endsWith("/embeddings") === true) {
      request.resume();
      response.writeHead(404).end();
      return;
    }
    const call = await readCall(request, response).catch((error: unknown) => {
      if (request.complete) throw error;
      // The caller died during its request.
      return undefined;
    });
    if (call === undefined) return;
    const counted = { ...call, nth: callsOf(call.task, call.turn).length + 1 };
    calls.push(counted);
    const wire = (isResponses(request) ? responsesWire : chatWire)(response, counted.body.model);
    await script(counted, replyOn(response, counted, wire));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The fake provider has no port.");

  const baseUrl = `http://127.0.0.1:${address.port}/v1`;
  return {
    baseUrl,
    env: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: "test-key" },
    calls,
    callsOf,
    called: (task, turn, nth = 1) =>
      eventually(`call ${nth} of turn ${turn} of "${task}"`, () => callsOf(task, turn)[nth - 1]),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** What the user said last in a call. */
export function asked(call: ProviderCall | undefined): string {
  return call?.body.messages.findLast(({ role }) => role === "user")?.content ?? "";
}

async function readCall(request: IncomingMessage, response: ServerResponse): Promise<Omit<ProviderCall, "nth">> {
  const at = performance.now();
  const gone = Promise.withResolvers<void>();
  response.once("close", () => {
    if (!response.writableFinished) gone.resolve();
  });
  const given = await json(request);
  const sent = isResponses(request) ? asChatRequest(given) : given;
  const body = chatRequest.parse(sent);
  const said = body.messages.filter(({ role }) => role === "user").map(({ content }) => content ?? "");
  const titled = said.findLast((content) => TITLE.test(content));
  return {
    task: TITLE.exec(titled ?? "")?.[1] ?? said.at(-1) ?? "",
    turn: body.messages.filter((message) => message.role === "assistant").length,
    body,
    images: imagesIn(sent),
    headers: request.headers,
    at,
    gone: gone.promise,
  };
}

function imagesIn(sent: unknown): string[] {
  return shown.parse(sent).messages.flatMap(({ content }) => {
    const { data = [] } = parts.safeParse(content);
    return data.flatMap(({ image_url: image }) => (image === undefined ? [] : [image.url]));
  });
}

function isResponses(request: IncomingMessage): boolean {
  return request.url?.endsWith("/responses") === true;
}

function replyOn(response: ServerResponse, { turn }: Pick<ProviderCall, "turn">, wire: ScriptedWire): ProviderReply {
  let toolCalls = 0;
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  return {
    async hasRoom() {
      if (response.writableNeedDrain) await once(response, "drain", { signal: closed.signal }).catch(() => undefined);
    },
    tell(headers) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    },
    say: wire.say,
    think: wire.think,
    callTool(name, args, id = `call_${turn}_${toolCalls}`) {
      toolCalls += 1;
      wire.callTool({ id, name, text: typeof args === "string" ? args : JSON.stringify(args) });
    },
    finish(reason, kinds) {
      if (!response.writableEnded) wire.finish(reason, kinds);
    },
    refuse(status, message, headers = {}) {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify({ error: { message, type: "error", param: null, code: null } }));
    },
    abortConnection: () => response.destroy(),
    sendRaw(contentType, text) {
      response.writeHead(200, { "content-type": contentType });
      response.end(text);
    },
  };
}
