import { AsyncLocalStorage } from "node:async_hooks";
import { MissingRequiredClientCapabilityError } from "@modelcontextprotocol/server";
import type { ServerEventBus } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { SseMessage } from "#lib/http/sse.ts";
import { watchTools } from "#operations/conversations/watch-tools.ts";
import type { HttpWorkspace } from "../context.ts";
import { NEEDS_TASKS, declaresTasks } from "./client-traits.ts";

const listen = z.looseObject({ method: z.literal("subscriptions/listen") });

const listenToTasks = listen.extend({
  id: z.union([z.string(), z.number()]),
  params: z.looseObject({ notifications: z.looseObject({ taskIds: z.array(z.unknown()).min(1) }), _meta: z.unknown() }),
});

/**
 * Rejects a client that wants to hear of tasks without the extension for them. With it, it is told by the first message
 * that it hears of none: it reads them.
 */
export function rejectListening(body: unknown): Response | undefined {
  const { data } = listenToTasks.safeParse(body);
  if (data === undefined || declaresTasks(data.params._meta)) return undefined;
  const { code, message, data: details } = new MissingRequiredClientCapabilityError(NEEDS_TASKS);
  return Response.json({ jsonrpc: "2.0", id: data.id, error: { code, message, data: details } }, { status: 400 });
}

/** The subscriptions of clients to changes of their tools. */
export interface Subscriptions {
  /** What the SDK subscribes to, for the request that is being served. */
  readonly bus: ServerEventBus;
  /** Serves a request, whose subscription misses no change after its first message. */
  serve<T>(
    request: { readonly workspace: HttpWorkspace; readonly body: unknown; readonly signal: AbortSignal },
    respond: () => Promise<T>,
  ): Promise<T>;
}

/** Creates the subscriptions of a process. The SDK has one bus for all clients: each gets what its own key sees. */
export function createSubscriptions(): Subscriptions {
  const serving = new AsyncLocalStorage<AsyncIterable<"changed"> | undefined>();
  return {
    bus: {
      publish: () => undefined,
      subscribe(listener) {
        const changes = serving.getStore();
        if (changes !== undefined) void relay(changes, () => listener({ kind: "tools_list_changed" }));
        return () => undefined;
      },
    },
    async serve({ workspace, body, signal }, respond) {
      const changes = listen.safeParse(body).success ? await watchTools(workspace, signal) : undefined;
      return serving.run(changes, respond);
    },
  };
}

async function relay(changes: AsyncIterable<"changed">, notify: () => void): Promise<void> {
  for await (const _ of changes) notify();
}

const CHANGED = JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });

/** The stream by which clients of earlier revisions are told of changes. */
export async function* toolChanges(changes: AsyncIterable<"changed">): AsyncGenerator<readonly SseMessage[]> {
  for await (const _ of changes) yield [{ event: "message", data: CHANGED }];
}
