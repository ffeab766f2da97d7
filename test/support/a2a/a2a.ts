import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { A2AClient } from "a2a-sdk-0/client";
import { z } from "zod";
import { send } from "../api.ts";
import type { Answer } from "../api.ts";
import { eventually } from "../eventually.ts";

/** What these helpers need of a service. */
export interface A2aService {
  readonly url: string;
  readonly keys: { readonly a2a: string };
}

/** What a call may differ in from a usual one. */
export interface CallOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends an unchanged body to an agent's endpoint. */
export function post(service: A2aService, agentId: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
  const { key = service.keys.a2a, headers = {} } = options;
  const path = agentId === "" ? "/a2a" : `/a2a/${agentId}`;
  return send("POST", service.url + path, { headers: { authorization: `Bearer ${key}`, ...headers }, body });
}

const answered = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]),
  result: z.unknown().optional(),
  error: z
    .strictObject({ code: z.int(), message: z.string(), data: z.array(z.record(z.string(), z.unknown())).optional() })
    .optional(),
});

/** Calls a method; returns the result or the error. */
export async function rpc(
  service: A2aService,
  agentId: string,
  { method, params, ...options }: CallOptions & { readonly method: string; readonly params?: unknown },
) {
  const answer = await post(service, agentId, { jsonrpc: "2.0", id: 7, method, params }, options);
  if (answer.status !== 200) throw new Error(`${method} was answered with ${answer.status}: ${answer.text}`);
  return answered.parse(answer.body);
}

/** A message of a user with one text. */
export function userMessage(text: string, fields: Readonly<Record<string, unknown>> = {}) {
  return { message: { messageId: crypto.randomUUID(), role: "user", parts: [{ kind: "text", text }], ...fields } };
}

/** The same in the shape of 1.0. */
export function userMessage1(text: string, fields: Readonly<Record<string, unknown>> = {}) {
  return { message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...fields } };
}

function withKey(key: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${key}`);
    return fetch(input, { ...init, headers });
  };
}

/** The client of `@a2a-js/sdk` 1.3 for an agent, as it finds it by its card. */
export function client1(service: A2aService, agentId: string, { legacy = false } = {}) {
  const fetchImpl = withKey(service.keys.a2a);
  const compat = legacy ? { legacyCompat: { enabled: true } } : {};
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl, ...compat })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: fetch, ...compat }),
    }),
  );
  return factory.createFromUrl(`${service.url}/a2a/${agentId}/`, ".well-known/agent-card.json");
}

/** The client of `@a2a-js/sdk` 1.3 for an agent, over HTTP+JSON. */
export function restClient(service: A2aService, agentId: string) {
  const fetchImpl = withKey(service.keys.a2a);
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new RestTransportFactory({ fetchImpl })],
      preferredTransports: ["HTTP+JSON"],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: fetch }),
    }),
  );
  return factory.createFromUrl(`${service.url}/a2a/${agentId}/`, ".well-known/agent-card.json");
}

/** The client of `@a2a-js/sdk` 0.3.14 for an agent, as it finds it by its card. */
export function client0(service: A2aService, agentId: string): Promise<A2AClient> {
  const url = `${service.url}/a2a/${agentId}/.well-known/agent-card.json`;
  return A2AClient.fromCardUrl(url, { fetchImpl: withKey(service.keys.a2a) });
}

/** Reads a stream of server-sent events to its end; the ids and the results of the JSON-RPC responses. */
export async function streamed(
  service: A2aService,
  agentId: string,
  { method, params, ...options }: CallOptions & { readonly method: string; readonly params: unknown },
) {
  const answer = await post(service, agentId, { jsonrpc: "2.0", id: 7, method, params }, options);
  if (answer.headers.get("content-type")?.startsWith("text/event-stream") !== true) throw new Error(answer.text);
  return answer.text.split("\n\n").flatMap(eventIn);
}

/** A stream that is read while it is open. */
export interface OpenEvents {
  /** Waits for an event whose result is as wanted; every event so far. @throws an Error when the stream ends before. */
  until(isWanted: (result: unknown) => boolean): Promise<readonly StreamedEvent[]>;
  /** Settles when the stream has ended, or has broken. */
  readonly ended: Promise<void>;
  close(): void;
}

/** An event of a stream with its id. */
export type StreamedEvent = z.output<typeof answered> & { readonly eventId: string };

/** Opens a stream. */
export async function openEvents(
  { url, keys }: A2aService,
  agentId: string,
  { method, params }: { readonly method: string; readonly params: object },
): Promise<OpenEvents> {
  const closing = new AbortController();
  const answer = await fetch(`${url}/a2a/${agentId}`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.a2a}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }),
    signal: closing.signal,
  });
  const events: StreamedEvent[] = [];
  let isOver = false;
  const ended = (async () => {
    let text = "";
    for await (const chunk of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const frames = `${text}${chunk}`.split("\n\n");
      text = frames.pop() ?? "";
      events.push(...frames.flatMap(eventIn));
    }
  })()
    .catch(() => undefined)
    .finally(() => (isOver = true));
  return {
    ended,
    close: () => closing.abort(),
    until: (isWanted) =>
      eventually("an event of the stream", () => {
        const found = events.some(({ result }) => isWanted(result));
        if (!found && isOver) throw new Error("The stream ended without it.");
        return found && [...events];
      }),
  };
}

function eventIn(frame: string): StreamedEvent[] {
  const [, eventId, data] = /^id: (\S+)\ndata: (.*)$/m.exec(frame) ?? [];
  return eventId === undefined || data === undefined ? [] : [{ eventId, ...answered.parse(JSON.parse(data)) }];
}

/** All that a generator yields. */
export async function allOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}
