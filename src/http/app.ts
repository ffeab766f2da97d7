import { OpenAPIHono } from "@hono/zod-openapi";
import { compress } from "hono/compress";
import type { MiddlewareHandler } from "hono";
import { MAX_PAGE_FILES, MAX_PAGE_FILE_BYTES } from "#domain/agents/agent-page.ts";
import { AppError } from "#domain/errors.ts";
import { MAX_RESOURCES_BYTES } from "#domain/resources/resource.ts";
import { a2a, isA2aPath } from "./a2a/a2a.ts";
import { agUi } from "./ag-ui/ag-ui.ts";
import { describeAgUi } from "./ag-ui/describe.ts";
import { errorAnswerer } from "./answer-error.ts";
import { isOAuthPath } from "./auth/authorization-server.ts";
import { ACCOUNT_ENDPOINTS } from "./auth/gen/registry.ts";
import { setHeader } from "./middleware/set-header.ts";
import { DOCUMENTS, UPLOADS } from "./api/knowledge/knowledge.ts";
import { download } from "./api/files/download.ts";
import { preview } from "./api/files/preview.ts";
import { APPLY_RESOURCES, DIFF_RESOURCES } from "./api/resources/resources.ts";
import { ENDPOINTS } from "./api/gen/registry.ts";
import { envelopeCaller, keyScope } from "./middleware/authenticate.ts";
import type { HttpEnv, HttpServices } from "./context.ts";
import { cors } from "./middleware/cors.ts";
import { describeLater } from "./api/shape/describe-later.ts";
import type { Api } from "./api/shape/route.ts";
import { VERSIONED_ROOTS, registerComponents } from "./api/shape/components.ts";
import { apiVersion } from "./api/shape/respond.ts";
import { rejectWhileHeld } from "./middleware/held.ts";
import { limitBody } from "./middleware/limit-body.ts";
import { logRequests } from "./middleware/log-requests.ts";
import { methodNotAllowed, methodsAt } from "./method-not-allowed.ts";
import { mcp } from "./mcp/mcp.ts";
import { MCP_PATH } from "./mcp/resource.ts";
import { OPENAI_ROOT, openAi } from "./openai/openai.ts";
import { openApi } from "./openapi.ts";
import { protectiveHeaders } from "./middleware/protective-headers.ts";
import { rateLimit } from "./middleware/rate-limit.ts";
import { receiveRest } from "./middleware/receive-rest.ts";
import { pages } from "./pages.ts";
import { securityTxt } from "./security-txt.ts";
import { pathNotFound } from "./path-not-found.ts";
import { respondReadiness } from "./readiness.ts";
import { PROBE_STREAM, respondProbeStream } from "./streams/probe-stream.ts";
import { referencePage } from "./reference-page.ts";
import { addVersion, version } from "./version.ts";
import { requestId } from "./middleware/request-id.ts";
import { tableOptions } from "./table/allow.ts";
import { describeTableApi } from "./table/describe.ts";
import { TABLE_ROOT } from "./table/root.ts";
import { tableApi } from "./table/table-api.ts";
import { framingOrigins } from "#operations/conversations/page-visits.ts";
import { formatSize } from "#lib/text/format-size.ts";

/** Methods without a body; reading it would make Node build the whole request object. */
const WITHOUT_BODY = new Set(["GET", "HEAD", "OPTIONS"]);
/** The maximum size of a form besides its file. */
const FORM_BYTES = 65_536;
/** Where visitors of agents' pages send messages, with their files as base64. */
const VISITOR_STREAM = /^\/p\/[^/]+\/sse\/?$/;
const PAGE_BODY_BYTES = Math.ceil((MAX_PAGE_FILES * MAX_PAGE_FILE_BYTES * 4) / 3) + FORM_BYTES;

/** Creates one application with all surfaces of the service. */
export function createApp(services: HttpServices): OpenAPIHono<HttpEnv> {
  // Many clients end a base URL with a slash; `/mcp/` is the same as `/mcp`.
  const app = new OpenAPIHono<HttpEnv>({ strict: false });
  const api: Api = { app, services };
  addMiddleware(api);
  describeLater(app.openAPIRegistry, registerComponents);
  const answerError = errorAnswerer(services);
  app.onError(answerError);
  app.notFound((c) => {
    const { method, path } = c.req;
    const has = methodsAt(app, path);
    const isKnown = has.length > 0 && !has.includes(method);
    return answerError(isKnown ? methodNotAllowed(method, has) : pathNotFound(app.routes, path), c);
  });
  addPublicPaths(api);
  addProtocols(api);
  addAccounts(api);
  app.use("/functions/v1/*", keyScope());
  app.use("/files/*", keyScope());
  app.use("/console/api/*", envelopeCaller(services), rateLimit(services, "shared"), keyScope());
  for (const root of VERSIONED_ROOTS) app.use(`${root}/*`, apiVersion());
  for (const add of ENDPOINTS) add(api);
  app.get("/openapi.json", compress(), openApi(services));
  return app;
}

function addMiddleware({ app, services }: Api): void {
  app.use(receiveRest());
  app.use(requestId());
  app.use(logRequests(services));
  let roots: ReadonlySet<string> | undefined;
  app.use(
    pages({
      build: services.console,
      apiRoots: () => (roots ??= rootsOf(app)),
      serviceName: services.serviceName,
      framedBy: (slug) => framingOrigins(services, slug),
    }),
  );
  app.options(`${TABLE_ROOT}/*`, tableOptions());
  app.use(cors());
  app.use(protectiveHeaders());
  app.use(rejectWhileHeld(services));
  // First, so that every response, errors included, has the rate limit headers.
  app.use("/functions/v1/*", envelopeCaller(services), rateLimit(services, "envelope"));
  app.get("/files/:id", download(services));
  app.get("/files/:id/preview", preview(services));
  app.use("/files/*", envelopeCaller(services), rateLimit(services, "shared"));
  app.use(limitBodies(services));
}

/** Limits the size of request bodies; uploads have limits of their own. */
function limitBodies({ maxBodyBytes, maxFileBytes, maxDocumentBytes }: HttpServices): MiddlewareHandler<HttpEnv> {
  const limitOf = (maxSize: number, what: "body" | "file" | "document", around = 0) =>
    limitBody(maxSize + around, () => tooLarge(maxSize, what));
  const limit = limitOf(maxBodyBytes, "body");
  const documentLimit = limitOf(maxDocumentBytes, "document", FORM_BYTES);
  const visitorLimit = limitOf(Math.max(maxBodyBytes, PAGE_BODY_BYTES), "body");
  const byPath = new Map([
    ["/files", limitOf(maxFileBytes, "file", FORM_BYTES)],
    [UPLOADS, documentLimit],
    [DOCUMENTS, documentLimit],
    ...[DIFF_RESOURCES, APPLY_RESOURCES].map((path) => [path, limitOf(MAX_RESOURCES_BYTES, "body")] as const),
  ]);
  return (c, next) => {
    // A2A limits its bodies itself, after authentication, and the authorization server its small ones.
    if (WITHOUT_BODY.has(c.req.method) || isA2aPath(c.req.path) || isOAuthPath(c.req.path)) return next();
    if (VISITOR_STREAM.test(c.req.path)) return visitorLimit(c, next);
    return (byPath.get(c.req.path) ?? limit)(c, next);
  };
}

function addPublicPaths(api: Api): void {
  const { app, services } = api;
  // A browser gets the console here. Programs that check whether something answers need no more than this.
  app.get("/", version);
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get(PROBE_STREAM, respondProbeStream);
  app.get("/readyz", async (c) => respondReadiness(c, await services.findUnready(), services.isHeld()));
  const contact = services.securityContact;
  if (contact !== undefined) app.get("/.well-known/security.txt", securityTxt(services, contact));
  addVersion(api);
  app.route("/docs", referencePage());
}

/** Adds the surfaces that authenticate and describe their requests themselves. */
function addProtocols({ app, services }: Api): void {
  app.route("/ag-ui", agUi(services));
  describeLater(app.openAPIRegistry, describeAgUi);
  app.route(MCP_PATH, mcp(services));
  app.route("/", a2a(services));
  app.route(OPENAI_ROOT, openAi(services));
  app.route(TABLE_ROOT, tableApi(services));
  describeLater(app.openAPIRegistry, describeTableApi);
}

/** Adds /auth/*: sign-up, sign-in, sign-out, passwords. */
function addAccounts(api: Api): void {
  // Responses contain tokens: no cache may store them.
  api.app.use("/auth/*", async (c, next) => {
    setHeader(c, "Cache-Control", "no-store");
    await next();
  });
  for (const add of ACCOUNT_ENDPOINTS) add(api);
}

/** Returns the first segments of all served paths, such as `auth`. */
function rootsOf({ routes }: OpenAPIHono<HttpEnv>): ReadonlySet<string> {
  return new Set(routes.map(({ path }) => path.split("/")[1] ?? "").filter((root) => /^[\w.-]+$/.test(root)));
}

function tooLarge(maxBytes: number, what: "body" | "file" | "document"): never {
  throw new AppError("payload_too_large", `The ${what} is larger than ${formatSize(maxBytes)}, the limit.`);
}
