import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { listenOnLoopback } from "../wire/sockets.ts";
import { readTurn, toolCallOf } from "./conversation.ts";
import type { Turn } from "./conversation.ts";
import { createInterruption } from "./interruption.ts";
import type { Interruption } from "./interruption.ts";
import { writeReply } from "./write-reply.ts";

/** A call of a model, as the vendor saw it. */
export interface ModelCall {
  readonly turn: Turn;
  /** Is in the reply to this call and in no other. */
  readonly mark: string;
  /** The process that made it. */
  readonly by: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** A call of the counted tool. */
export interface CountedToolCall {
  /** The title of the task. */
  readonly title: string;
  /** The `Idempotency-Key`: the same for a call that is repeated. */
  readonly key: string;
  /** Is in the response to this call and in no other. */
  readonly receipt: string;
  readonly at: number;
}

/** A delivery that arrived. */
export interface ReceivedDelivery {
  readonly id: string;
  /** The task, or the team run, whose result it is. */
  readonly runId: string;
  readonly at: number;
}

/** Everything outside of the service: a model, a tool and a receiver of results, which count what reaches them. */
export interface Vendor {
  readonly url: string;
  readonly modelCalls: readonly ModelCall[];
  readonly toolCalls: readonly CountedToolCall[];
  readonly deliveries: readonly ReceivedDelivery[];
  /** The middle of each kind of call. */
  readonly middle: {
    readonly model: Interruption<ModelCall>;
    readonly tool: Interruption<CountedToolCall>;
    readonly delivery: Interruption<ReceivedDelivery>;
  };
  close(): Promise<void>;
}

const TOOL_MS = 30;
const toolArguments = z.object({ title: z.string() });
const delivered = z.object({ task_id: z.string().nullable(), team_run_id: z.string().nullable() });

/** Starts the vendor on loopback. */
export async function startVendor(): Promise<Vendor> {
  const modelCalls: ModelCall[] = [];
  const toolCalls: CountedToolCall[] = [];
  const deliveries: ReceivedDelivery[] = [];
  const middle: Vendor["middle"] = {
    model: createInterruption(),
    tool: createInterruption(),
    delivery: createInterruption(),
  };

  async function reply(body: unknown, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const turn = readTurn(body);
    const by = request.headers.authorization?.replace("Bearer ", "") ?? "";
    const call = { turn, mark: `#${modelCalls.length}#`, by, at: now() };
    modelCalls.push(call);
    await writeReply(response, { mark: call.mark, toolCall: toolCallOf(turn), halfway: () => middle.model.pass(call) });
  }

  async function runTool(body: unknown, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { title } = toolArguments.parse(body);
    const key = String(request.headers["idempotency-key"]);
    const call = { title, key, receipt: `receipt-${toolCalls.length}.`, at: now() };
    toolCalls.push(call);
    await sleep(TOOL_MS);
    await middle.tool.pass(call);
    send(response, { receipt: call.receipt });
  }

  async function receive(body: unknown, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { task_id, team_run_id } = delivered.parse(body);
    const runId = task_id ?? team_run_id ?? "";
    const delivery = { id: String(request.headers["x-service-delivery"]), runId, at: now() };
    deliveries.push(delivery);
    await middle.delivery.pass(delivery);
    send(response, {});
  }

  const routes = new Map([
    ["/v1/chat/completions", reply],
    ["/tool", runTool],
    ["/deliveries", receive],
  ]);
  const server = createServer(async (request, response) => {
    const handle = routes.get(request.url ?? "");
    // The process may have died during its request.
    const body: unknown = await json(request).catch(() => undefined);
    if (handle === undefined || body === undefined) return void response.writeHead(404).end();
    await handle(body, request, response);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    modelCalls,
    toolCalls,
    deliveries,
    middle,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** With fractions: calls of one millisecond have an order. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
