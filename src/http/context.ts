import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Observe } from "#domain/observation.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { SessionRing } from "#operations/accounts/session-ring.ts";
import type { Services } from "#operations/context.ts";
import type { ClientCalls } from "#operations/protocols/client-calls.ts";
import type { ConsoleBuild } from "./console-build.ts";
import type { UnreadyReason } from "./readiness.ts";
import type { RateLimits } from "#operations/access/rate-limits.ts";
import type { LiveHub } from "#operations/streams/live-hub.ts";
import type { OpenStreams } from "./streams/open-streams.ts";

/** The versions of the envelope API: 1 answers with bare data, 2 with data and meta. */
export type ApiVersion = 1 | 2;

/** What handlers find in Hono's context. */
export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    apiVersion: ApiVersion;
    principal: Principal;
  };
}

/** A request on its way through the service. */
export type HttpContext = Context<HttpEnv>;

/** How much the table API may ask of the database. */
export interface TableLimits {
  /** How long one statement may take, in milliseconds. */
  readonly timeoutMs: number;
  /** The most rows of an answer, of an embedded list and of a change. */
  readonly maxRows: number;
  /** Requests that it answers at once. */
  readonly concurrency: number;
}

/** What the surfaces work with. */
export interface HttpServices extends Services {
  readonly sessions: SessionRing;
  readonly limits: RateLimits;
  readonly clientCalls: ClientCalls;
  readonly log: Logger;
  readonly observe: Observe;
  /** Why this process should get no requests now; none when it should. */
  readonly findUnready: () => Promise<readonly UnreadyReason[]>;
  readonly maxBodyBytes: number;
  /** Longest document for a knowledge base, in bytes. */
  readonly maxDocumentBytes: number;
  /** The service's address for links, without a trailing slash; undefined: where the request came in. */
  readonly publicUrl: string | undefined;
  /** What the service calls itself on its pages. */
  readonly serviceName: string;
  /** How many reverse proxies in front of the service say from where a request came. */
  readonly trustedProxies: number;
  readonly table: TableLimits;
  /** The built pages for people. */
  readonly console: ConsoleBuild;
  readonly streams: OpenStreams;
  /** The pages that watch workspaces. */
  readonly live: LiveHub;
  /** Whether AG-UI clients of 1.x get standard interrupts. */
  readonly agUiInterrupts: boolean;
  /** Fires when the service stops: streams end then, and their clients connect to another process. */
  readonly closing: AbortSignal;
}
