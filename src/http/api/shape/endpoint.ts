import type { z } from "zod";
import type { Role } from "#domain/access/role.ts";
import type { SignedIn } from "#operations/accounts/session-ring.ts";
import type { HttpContext, HttpServices, HttpWorkspace } from "../../context.ts";
import { parseExactly } from "#lib/text/exact-json.ts";
import { bearerToken } from "../../middleware/authenticate.ts";
import { readBody, readParams, readQuery } from "../../middleware/read-body.ts";

/** The authorization of a request: a role in the workspace, or one of two kinds without a workspace. */
export type RequiredAccess = Role | "session" | "public";

type Method = "get" | "post" | "patch" | "put" | "delete";

/** The status and schema of success; without a schema, there is no body. The body is JSON, a stream of such events, or text for people. */
interface Success {
  readonly status: 200 | 201 | 202 | 204;
  readonly schema?: z.ZodType;
  readonly contentType?: "text/event-stream" | "text/plain";
}

/** What the OpenAPI document and the routes need to know about an endpoint. */
interface Description {
  readonly method: Method;
  /**
   * The name in client libraries: a verb and a noun, such as `listAgents`; unique. Clients depend on it, so it never
   * changes.
   */
  readonly operationId: string;
  readonly summary: string;
  /** The parameters of the path. */
  readonly params?: z.ZodObject | undefined;
  /** The query parameters; those that are lists may be repeated. */
  readonly query?: z.ZodObject | undefined;
  /** The JSON body. */
  readonly body?: z.ZodType | undefined;
  /** Fields of the body that are dropped unread, as in a record that a client sends back. */
  readonly readOnly?: readonly string[];
  /** Whether integers of the body that a number cannot hold stay as they are, for fields that are passed on unread. */
  readonly keepsDigits?: true;
  /** A body that the handler reads itself, instead of `body`. */
  readonly ownBody?: { readonly schema: z.ZodType; readonly contentType?: "multipart/form-data" };
  readonly success: Success;
  /** Another success, for requests with this query parameter set to `true`, and its name in client libraries. */
  readonly instead?: {
    readonly when: string;
    readonly operationId: string;
    readonly summary: string;
    readonly status: 200;
    readonly schema: z.ZodType;
  };
  /** For a list that returns one record for an `id`: the name of that operation in client libraries. */
  readonly readsOneAs?: string;
  /** Whether a POST starts work, such as a run: a person's requests then count against the workspace's plan as well. */
  readonly starts?: true;
  /** Whether success may carry the header `X-Warning`. */
  readonly warns?: true;
  /**
   * The minimum role. By default, viewers may GET and members may do the rest. `session`: a signed-in person with any
   * role, but no key; `public`: anyone, and the handler checks what it must.
   */
  readonly needs?: RequiredAccess | undefined;
  /** Hashes what identifies a POST with an `Idempotency-Key`; by default its URL and body. */
  readonly hash?: (c: HttpContext) => Promise<string>;
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
/** Who sent a request: a caller in a workspace, a person with a session, or anyone. */
type Caller<Needs> = Needs extends "public"
  ? { readonly services: HttpServices }
  : Needs extends "session"
    ? { readonly services: HttpServices; readonly who: SignedIn }
    : { readonly workspace: HttpWorkspace };
/** What a handler returns: nothing for a 204, else the response. */
type Result<Status> = Status extends 204 ? Promise<void> : Response | Promise<Response>;

/** A request to an endpoint, with what it declares: validated, and of these types. */
export type Call<Params, Query, Body, Needs> = Caller<Needs> & {
  readonly c: HttpContext;
  readonly params: Output<Params>;
  readonly query: Output<Query>;
  readonly body: Output<Body>;
};

/** The services; for an endpoint that needs a role, the caller's workspace. They may take part in an open transaction. */
type Served = HttpServices | HttpWorkspace;

/** Handles a request; `prepare` first does the part outside the database. */
type Handlers<C, R> =
  | { handle(call: C): R; readonly prepare?: undefined }
  | { prepare(call: C): Promise<(joined: HttpWorkspace) => R>; readonly handle?: undefined };

/** One method of a path: its description for the OpenAPI document, and its handler. */
export interface Endpoint extends Description {
  /** Whether {@link begin} does work that a repeated request must not repeat. */
  readonly prepares: boolean;
  /** Does the part outside the database; returns the rest. @throws AppError `bad_request`, `unauthorized` */
  readonly begin: (c: HttpContext, on: Served) => Promise<(joined: Served) => Promise<Response>>;
}

/**
 * Defines an endpoint. Its handler gets what `params`, `query` and `body` declare, so what is accepted cannot differ
 * from the document. With `prepare` instead of `handle`, the part outside the database comes first, such as storing a
 * file, since no transaction may wait for it; it returns the rest of the work.
 */
export function endpoint<
  Status extends Success["status"],
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Needs extends RequiredAccess | undefined = undefined,
>(
  definition: Description & {
    readonly success: { readonly status: Status };
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
    readonly needs?: Needs;
  } & Handlers<Call<Params, Query, Body, Needs>, Result<Status>>,
): Endpoint;
export function endpoint({
  handle,
  prepare,
  ...description
}: Description & Handlers<Parts, Response | Promise<Response | void>>): Endpoint {
  return {
    ...description,
    prepares: prepare !== undefined,
    async begin(c, on) {
      if (prepare === undefined) {
        return async (joined) => (await handle(await readParts(c, joined, description))) ?? c.body(null, 204);
      }
      const finish = await prepare(await readParts(c, on, description));
      return async (joined) => (await finish(boundOf(joined))) ?? c.body(null, 204);
    },
  };
}

/** A {@link Call} of some endpoint. */
interface Parts {
  readonly c: HttpContext;
  readonly services: HttpServices;
  readonly workspace: HttpWorkspace;
  readonly who: SignedIn | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

async function readParts(c: HttpContext, on: Served, declared: Description): Promise<Parts> {
  const { needs, params, query, body, readOnly, keepsDigits } = declared;
  return {
    c,
    services: on,
    get workspace() {
      return boundOf(on);
    },
    who: needs === "session" ? await on.sessions.identify(bearerToken(c)) : undefined,
    params: params && readParams(c, params),
    query: query && readQuery(c, query),
    body: body && (await readBody(c, body, { readOnly, parse: keepsDigits === true ? parseExactly : undefined })),
  };
}

function boundOf(on: Served): HttpWorkspace {
  if ("who" in on) return on;
  throw new Error("Only an endpoint that needs a role has a workspace.");
}

/** Returns the minimum authorization: the endpoint's own, else viewers may GET and members may do the rest. */
export function requiredAccess({ needs, method }: Description): RequiredAccess {
  return needs ?? (method === "get" ? "viewer" : "member");
}

/** True if an `Idempotency-Key` applies: keys belong to workspaces, and only a POST is unsafe to repeat. */
export function isRepeatable(description: Description): boolean {
  const need = requiredAccess(description);
  return description.method === "post" && need !== "session" && need !== "public";
}
