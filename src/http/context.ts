import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Observe } from "#domain/observation.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { AppTokens } from "#operations/access/app-tokens.ts";
import type { MachineCallers } from "#operations/accounts/machine-callers.ts";
import type { SessionRing } from "#operations/accounts/session-ring.ts";
import type { Services } from "#operations/context.ts";
import type { Workspace } from "#operations/workspace.ts";
import type { ClientCalls } from "#operations/conversations/client-calls.ts";
import type { ConsoleBuild } from "./console-build.ts";
import type { UnreadyReason } from "./readiness.ts";
import type { RateLimits } from "#operations/access/rate-limits.ts";
import type { LiveHub } from "#operations/streams/live-hub.ts";
import type { BearerCaller } from "./bearer-caller.ts";

/** The versions of the envelope API: 1 responds with bare data, 2 with data and meta. */
export type ApiVersion = 1 | 2;

/** The variables in Hono's context. */
export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    apiVersion: ApiVersion;
    principal: Principal;
    /** The workspace of the caller or of the trigger, once it is known: for the log. */
    workspaceId?: string;
    /** The id of a JSON-RPC request, once it is read. */
    rpcId?: string | number | null;
  };
}

/** The context of a request. */
export type HttpContext = Context<HttpEnv>;

/** The limits of the table API. */
export interface TableLimits {
  /** The time limit of a statement, in milliseconds. */
  readonly timeoutMs: number;
  /** The maximum rows of a response, of an embedded list and of a change. */
  readonly maxRows: number;
  /** The maximum number of concurrent requests. */
  readonly concurrency: number;
}

/** The services that the HTTP surfaces use. */
export interface HttpServices extends Services {
  readonly sessions: SessionRing;
  /** Programs with access tokens of the provider, if the instance has one. */
  readonly machines: MachineCallers | undefined;
  /** Programs with tokens of our own authorization server. */
  readonly apps: AppTokens;
  /** Whether programs may register themselves as OAuth clients. */
  readonly appRegistration: "on" | "off";
  readonly limits: RateLimits;
  readonly clientCalls: ClientCalls;
  readonly log: Logger;
  readonly observe: Observe;
  /** Returns why this process should receive no requests now; empty when it is ready. */
  readonly findUnready: () => Promise<readonly UnreadyReason[]>;
  /** Whether the database is a restored copy that must not act yet. */
  readonly isHeld: () => boolean;
  readonly maxBodyBytes: number;
  /** The size limit of a document for a knowledge base, in bytes. */
  readonly maxDocumentBytes: number;
  /** The service's public URL for links, without a trailing slash; undefined: taken from the request. */
  readonly publicUrl: string | undefined;
  /** Whom to tell of a vulnerability, as a URL; undefined: not published. */
  readonly securityContact: string | undefined;
  /** The service's name on its pages. */
  readonly serviceName: string;
  /** The number of trusted reverse proxies in front of the service. */
  readonly trustedProxies: number;
  readonly table: TableLimits;
  /** The built console. */
  readonly console: ConsoleBuild;
  readonly streams: OpenStreams;
  /** The pages that watch workspaces. */
  readonly live: LiveHub;
  /** Whether standard AG-UI clients get interrupts. */
  readonly agUiInterrupts: boolean;
  /** Aborted when the service stops: streams end, and their clients connect to another process. */
  readonly closing: AbortSignal;
}

/** A caller in its workspace, with the services of the HTTP surfaces. */
export type HttpWorkspace = Workspace<HttpServices>;

/** A caller with a bearer token, in its workspace. */
export interface WorkspaceCaller extends BearerCaller {
  readonly workspace: HttpWorkspace;
}

/** The open streams of this process, by caller. */
export interface OpenStreams {
  /**
   * Admits one more stream of a caller. Calls `end` when the caller's credential becomes invalid, within a second after
   * revocation or expiry. Returns a function to call when the stream has ended.
   * @throws AppError `rate_limit_exceeded` when the caller's key, or the person, has too many open streams.
   */
  admit(caller: BearerCaller, end: () => void): () => void;
  /** The number of open streams. */
  count(): number;
}
