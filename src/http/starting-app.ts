import { Hono } from "hono";
import type { Logger } from "pino";
import { AppError } from "#domain/errors.ts";
import { errorAnswerer } from "./answer-error.ts";
import type { HttpEnv } from "./context.ts";
import { acceptsHtml, respondPage } from "./own-page.ts";
import { respondReadiness } from "./readiness.ts";
import { version } from "./version.ts";
import { requestId } from "./middleware/request-id.ts";
import { waitingPage } from "./waiting-page.ts";

/** Serves requests while the service starts: it is alive, but not ready. */
export function createStartingApp(log: Logger): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(requestId());
  app.onError(errorAnswerer({ log }));
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/version", version);
  app.get("/readyz", (c) => respondReadiness(c, ["starting"]));
  app.all("*", (c) => {
    if (c.req.method === "GET" && acceptsHtml(c))
      return respondPage((nonce) => waitingPage("Muster is starting", nonce), 503);
    throw new AppError("unavailable", "The service is starting; try again.", { headers: { "Retry-After": "2" } });
  });
  return app;
}
