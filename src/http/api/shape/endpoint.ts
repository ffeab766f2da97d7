import type { z } from "zod";
import type { Role } from "#domain/access/role.ts";
import type { HttpContext, HttpServices } from "../../context.ts";

/** The authorization of a request: a role in the workspace, or one of two kinds without a workspace. */
export type RequiredAccess = Role | "session" | "public";

/** Handles a request with the given services, which may take part in an open transaction. */
type Handle = (c: HttpContext, services: HttpServices) => Response | Promise<Response>;

/**
 * Does the part outside the database first, such as storing a file, since no transaction may wait for it. Returns the
 * rest of the work, which may take part in one.
 */
type Prepare = (c: HttpContext, services: HttpServices) => Promise<Finish>;

/** The rest of the work, with services that may take part in an open transaction. */
type Finish = (joined: HttpServices) => Response | Promise<Response>;

/** One method of a path, described for the OpenAPI document. */
export type Endpoint = Description &
  (
    | { readonly handle: Handle; readonly prepare?: undefined }
    | { readonly prepare: Prepare; readonly handle?: undefined }
  );

interface Description {
  readonly method: "get" | "post" | "patch" | "put" | "delete";
  /**
   * The name in client libraries: a verb and a noun, such as `listAgents`; unique. Clients depend on it, so it never
   * changes.
   */
  readonly operationId: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The media type of the body, if not JSON. */
  readonly bodyType?: "multipart/form-data";
  /** The status and schema of success; without a schema, there is no body. The body is JSON, or a stream of such events. */
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly schema?: z.ZodType;
    readonly contentType?: "text/event-stream";
  };
  /** For a list that returns one record for an `id`: the name of that operation in client libraries. */
  readonly readsOneAs?: string;
  /** Whether success may carry the header `X-Warning`. */
  readonly warns?: true;
  /**
   * The minimum role. By default, viewers may GET and members may do the rest. `session`: a signed-in person with any
   * role, but no key; `public`: anyone. For these two, the handler itself checks access.
   */
  readonly needs?: RequiredAccess;
  /** Hashes what identifies a POST with an `Idempotency-Key`; see {@link respondOnce}. */
  readonly hash?: (c: HttpContext) => Promise<string>;
}

/** Runs an endpoint's preparation; returns the rest of the work. */
export async function finisher(c: HttpContext, services: HttpServices, { handle, prepare }: Endpoint): Promise<Finish> {
  return prepare === undefined ? (joined) => handle(c, joined) : prepare(c, services);
}

/** Returns the minimum authorization: the endpoint's own, else viewers may GET and members may do the rest. */
export function requiredAccess({ needs, method }: Endpoint): RequiredAccess {
  return needs ?? (method === "get" ? "viewer" : "member");
}

/** True if an `Idempotency-Key` applies: keys belong to workspaces, and only a POST is unsafe to repeat. */
export function isRepeatable(endpoint: Endpoint): boolean {
  const need = requiredAccess(endpoint);
  return endpoint.method === "post" && need !== "session" && need !== "public";
}
