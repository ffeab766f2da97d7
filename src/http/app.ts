import { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { AppError } from "#domain/errors.ts";
import { agUi } from "./ag-ui/ag-ui.ts";
import { envelopeKey } from "./authenticate.ts";
import { addProviderKeys } from "./console/provider-keys.ts";
import type { HttpContext, HttpEnv, HttpServices } from "./context.ts";
import { addAgents } from "./envelope/agents.ts";
import { addMe } from "./envelope/me.ts";
import { apiVersion, respondError } from "./envelope/respond.ts";
import { addTasks } from "./envelope/tasks.ts";
import { logRequests } from "./log-requests.ts";
import { openApiDocument } from "./openapi.ts";
import { requestId } from "./request-id.ts";
import { addSetup } from "./setup.ts";

const REQUEST_HEADERS = [
  "Authorization",
  "Content-Type",
  "X-API-Key",
  "X-API-Version",
  "Idempotency-Key",
  "Last-Event-ID",
  "apikey",
  "Prefer",
];
const RESPONSE_HEADERS = [
  "X-Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
  "Link",
  "Idempotent-Replayed",
  "Content-Range",
];

/** All surfaces of the service in one application. */
export function createApp(services: HttpServices): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>();
  app.use(requestId());
  app.use(logRequests(services.log));
  app.use(
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      allowHeaders: REQUEST_HEADERS,
      exposeHeaders: RESPONSE_HEADERS,
      maxAge: 86_400,
    }),
  );
  app.use(bodyLimit({ maxSize: services.maxBodyBytes, onError: () => tooLarge(services.maxBodyBytes) }));
  app.openAPIRegistry.registerComponent("securitySchemes", "apiKey", {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
  });
  app.onError((error, c) => answerError(services, error, c));
  app.notFound((c) => answerError(services, new AppError("not_found", `There is nothing at ${c.req.path}.`), c));

  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.route("/ag-ui", agUi(services));
  addSetup(app, services);
  app.use("/functions/v1/*", apiVersion(), envelopeKey(services));
  addAgents(app, services);
  addTasks(app, services);
  addMe(app, services);
  app.use("/console/api/*", envelopeKey(services));
  addProviderKeys(app, services);
  app.get("/openapi.json", (c) => c.json(openApiDocument(app, new URL(c.req.url).origin)));
  return app;
}

/** The one place where an error becomes an answer: `{error: message}` on AG-UI, the envelope's form elsewhere. */
function answerError(services: HttpServices, error: Error, c: HttpContext): Response {
  const refusal = error instanceof AppError ? error : new AppError("internal_error", "Internal error.");
  if (refusal !== error) {
    services.log.error({ err: error, requestId: c.get("requestId"), path: c.req.path }, "request failed");
  }
  if (!c.req.path.startsWith("/ag-ui/")) return respondError(c, refusal);
  return c.json({ error: refusal.message }, refusal.status, { ...refusal.headers });
}

function tooLarge(maxBodyBytes: number): never {
  throw new AppError("payload_too_large", `The body is longer than ${maxBodyBytes} bytes.`);
}
