import { Hono } from "hono";
import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { givenId } from "#domain/given-id.ts";
import { includesRole } from "#domain/access/role.ts";
import { createFairLimiter } from "#lib/async/fair-limiter.ts";
import { installAgent } from "#operations/agents/marketplace.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { readText } from "../middleware/read-body.ts";
import { setHeader } from "../middleware/set-header.ts";
import { ROOT_ALLOW, allowOfTable } from "./allow.ts";
import { tableCaller, tableLimit } from "./authenticate.ts";
import { deleteRows, updateRows } from "./change.ts";
import { badBody, denied, TableError } from "./errors.ts";
import { insertRows } from "./insert.ts";
import { OPENAPI_TYPE, checkAcceptsDocument, tableDocument } from "./openapi.ts";
import { checkProfile, tableRequest } from "./request.ts";
import { TABLE_ROOT } from "./root.ts";
import type { TableRequest } from "./request.ts";
import { respondRows } from "./respond.ts";
import { callFunction } from "./rpc.ts";
import type { TableFunctions } from "./rpc.ts";
import { selectRows } from "./select-rows.ts";

/** How long a request may wait in the queue, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** The functions available at `POST /rpc/<name>`. */
const FUNCTIONS: TableFunctions = {
  increment_install_count: {
    schema: z.object({ agent_row_id: givenId }),
    run: (workspace, input: { readonly agent_row_id: string }) => installAgent(workspace, input.agent_row_id),
  },
};

/** The table API: the workspace's tables in the dialect of PostgREST. */
export function tableApi(services: HttpServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const { concurrency } = services.table;
  const limiter = createFairLimiter({ total: concurrency, perKey: Math.ceil(concurrency / 2), timeoutMs: TIMEOUT_MS });
  // The same for every caller, so it is built once, at the first request.
  let document: string | undefined;
  app.use(privateAnswers(), tableCaller(services), tableLimit(services));
  app.all("/rpc/:name", (c) => withinLimit(c, () => callFunction(c, services, FUNCTIONS)));
  app.all("/:table", (c) => withinLimit(c, () => answer(tableRequest(c, services))));
  app.all("*", (c) => {
    if (c.req.path === TABLE_ROOT) {
      document ??= JSON.stringify(tableDocument(FUNCTIONS, services.publicUrl));
      return answerDocument(c, document);
    }
    throw new TableError(404, "PGRST125", { message: "Invalid path specified in request URL" });
  });
  return app;

  /** Limits each workspace to its share of the connections. */
  async function withinLimit(c: HttpContext, work: () => Promise<Response>): Promise<Response> {
    checkProfile(c);
    // Reads the body before the queue, so that a slow client does not hold a slot; Hono caches it.
    if (c.req.method !== "GET" && c.req.method !== "HEAD") await readText(c).catch(rejectBody);
    return limiter.take(c.get("principal").workspaceId, work);
  }
}

function rejectBody(error: unknown): never {
  throw error instanceof AppError ? badBody(error.message) : error;
}

async function answer(request: TableRequest): Promise<Response> {
  const { c, workspace, table } = request;
  const { method } = c.req;
  if (method === "GET" || method === "HEAD") {
    return respondRows(request, await workspace.transaction((tx) => selectRows(tx, request)));
  }
  if (method !== "POST" && method !== "PATCH" && method !== "DELETE") {
    throw unsupported(method, allowOfTable(table.name));
  }
  if (!includesRole(workspace.who.role, "member")) throw denied(table.name);
  if (method === "POST") return insertRows(request);
  return method === "PATCH" ? updateRows(request) : deleteRows(request);
}

/** Rows belong to a workspace: caches must not store them, and browsers must not render them as a page. */
function privateAnswers(): MiddlewareHandler<HttpEnv> {
  return function privateAnswers(c, next) {
    setHeader(c, "Cache-Control", "no-store");
    setHeader(c, "X-Content-Type-Options", "nosniff");
    return next();
  };
}

function answerDocument(c: HttpContext, document: string): Response {
  const { method } = c.req;
  if (method !== "GET" && method !== "HEAD") throw unsupported(method, ROOT_ALLOW);
  checkProfile(c);
  checkAcceptsDocument(c.req.header("Accept"));
  return c.body(document, 200, { "Content-Type": OPENAPI_TYPE });
}

function unsupported(method: string, allow: string): TableError {
  return new TableError(405, "PGRST117", { message: `Unsupported HTTP method: ${method}`, headers: { Allow: allow } });
}
