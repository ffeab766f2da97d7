import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { parseExactly } from "#lib/text/exact-json.ts";

/** A part of a scripted reply. */
export type StrictPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly args: unknown; readonly id?: string };

/** A scripted reply; the vendor's file writes it in the vendor's form. */
export interface StrictReply {
  readonly parts: readonly StrictPart[];
  /** Why it ends, in the vendor's word; default: the usual one. */
  readonly finish?: string;
}

/** An answer with these very bytes. */
export interface RawReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly raw: string | Uint8Array;
}

/** A reply that depends on the request. */
export type ReplyTo = (request: StrictRequest) => StrictReply | RawReply;

/** A request that a vendor's rules are applied to. */
export interface StrictRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
  /** The body as it was sent. */
  readonly text: string;
}

/** A rejection in the vendor's words. */
export class Rejection extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
  }
}

/** A vendor's API. */
export interface StrictVendor {
  /** The path of the base URL. */
  readonly basePath: string;
  /** Answers a request that calls no model, such as one for an access token; undefined for all others. */
  aside?(path: string, text: string): object | undefined;
  /** Writes a reply to a request that breaks no rule. @throws Rejection in the vendor's words */
  reply(request: StrictRequest): (response: ServerResponse, reply: StrictReply) => void;
}

/** A vendor that rejects what the real one documents to reject, and otherwise answers by its script. */
export interface StrictServer {
  readonly baseUrl: string;
  /** The requests that were accepted since the script was set. */
  readonly accepted: readonly StrictRequest[];
  /** The vendor's words about those that were not. */
  readonly rejected: readonly string[];
  /** Sets what it answers, one reply after another; the last one is repeated. Forgets the earlier requests. */
  plays(...replies: readonly (StrictReply | RawReply | ReplyTo)[]): void;
  close(): Promise<void>;
}

/** Starts a strict vendor on loopback. */
export async function startStrictServer(vendor: StrictVendor): Promise<StrictServer> {
  const accepted: StrictRequest[] = [];
  const rejected: string[] = [];
  let script: readonly (StrictReply | RawReply | ReplyTo)[] = [];

  const server = createServer(async (incoming, response) => {
    const sent = await text(incoming);
    const aside = vendor.aside?.(incoming.url ?? "", sent);
    if (aside !== undefined) {
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(aside));
    }
    const request = { path: incoming.url ?? "", headers: incoming.headers, body: parseExactly(sent), text: sent };
    try {
      const write = vendor.reply(request);
      const scripted = script[Math.min(accepted.length, script.length - 1)] ?? says("done");
      const reply = typeof scripted === "function" ? scripted(request) : scripted;
      accepted.push(request);
      if (!("raw" in reply)) return write(response, reply);
      response.writeHead(reply.status ?? 200, reply.headers ?? SSE).end(reply.raw);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      rejected.push(error.message);
      response.writeHead(error.status, { "content-type": "application/json" }).end(error.message);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The strict vendor has no port.");
  return {
    baseUrl: `http://127.0.0.1:${address.port}${vendor.basePath}`,
    accepted,
    rejected,
    plays(...replies) {
      script = replies;
      accepted.length = 0;
      rejected.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const SSE = { "content-type": "text/event-stream" };

/** A reply of one text. */
export function says(text: string, finish?: string): StrictReply {
  return { parts: [{ type: "text", text }], ...(finish !== undefined && { finish }) };
}

/** A call of a tool as a part of a reply. */
export function calls(name: string, args: unknown = {}, id?: string): StrictPart {
  return { type: "call", name, args, ...(id !== undefined && { id }) };
}

/** Thought as a part of a reply. */
export function thinks(text: string): StrictPart {
  return { type: "reasoning", text };
}

/** The arguments of a call as JSON text; a text is sent as it is. */
export function argumentsOf({ args }: Extract<StrictPart, { type: "call" }>): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}

/** Writes an event of an event stream. */
export function sendEvent(response: ServerResponse, data: unknown, event?: string): void {
  if (!response.headersSent) response.writeHead(200, SSE);
  const name = event === undefined ? "" : `event: ${event}\n`;
  response.write(`${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
}
