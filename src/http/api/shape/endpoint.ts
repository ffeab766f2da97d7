import type { z } from "zod";
import type { Role } from "#domain/access/role.ts";
import type { HttpContext, HttpServices } from "../../context.ts";

/** What lets a request pass: a role in the workspace, or one of the two for which there is no workspace. */
export type Need = Role | "session" | "public";

/** Answers a request with the services it is given, which may take part in an open transaction. */
type Handle = (c: HttpContext, services: HttpServices) => Response | Promise<Response>;

/**
 * Does first what reaches beyond the database, such as storing a file, since no transaction may wait for it; gives the
 * rest of the work, which may be part of one.
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
   * What client libraries call it: a verb and a noun, as in `listAgents`, unlike that of any other operation. Clients
   * depend on it, so it never changes.
   */
  readonly operationId: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The media type of the body, where it is not JSON. */
  readonly bodyType?: "multipart/form-data";
  /** The status and schema of success; no schema means no body. */
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly schema?: z.ZodType };
  /** Of a list that answers with one record when it is asked for an `id`: what client libraries call that. */
  readonly readsOneAs?: string;
  /** Whether success may carry the header `X-Warning`. */
  readonly warns?: true;
  /**
   * The least role for it; by default, whoever may read may GET, and members may do the rest.
   * `session`: a person who is signed in, whatever the role, and no key; `public`: anybody. Of
   * these two the handler takes care itself.
   */
  readonly needs?: Need;
  /** What tells one POST with an `Idempotency-Key` from another; see {@link respondOnce}. */
  readonly hash?: (c: HttpContext) => Promise<string>;
}

/** Does what an endpoint prepares; gives what is left to do. */
export async function finisher(c: HttpContext, services: HttpServices, { handle, prepare }: Endpoint): Promise<Finish> {
  return prepare === undefined ? (joined) => handle(c, joined) : prepare(c, services);
}

/** The least that lets a request pass: what the endpoint says; else whoever may read may GET, members may do the rest. */
export function needOf({ needs, method }: Endpoint): Need {
  return needs ?? (method === "get" ? "viewer" : "member");
}

/** Whether an `Idempotency-Key` counts here: keys belong to workspaces, and only a POST may not be sent twice as it is. */
export function isRepeatable(endpoint: Endpoint): boolean {
  const need = needOf(endpoint);
  return endpoint.method === "post" && need !== "session" && need !== "public";
}
