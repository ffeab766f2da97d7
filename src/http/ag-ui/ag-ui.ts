import { Hono } from "hono";
import type { KeyScope } from "#domain/api-key.ts";
import { AppError } from "#domain/errors.ts";
import { openRunStream, openStream } from "#operations/open-stream.ts";
import { respond } from "#operations/respond.ts";
import { say } from "#operations/say.ts";
import { bearerKey, requireScope } from "../authenticate.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { readJson, readOptionalJson } from "../read-body.ts";
import { respondStream } from "./respond-stream.ts";
import { readReading, readRunInput } from "./run-input.ts";

const NO_VALID_TOKEN = "Unauthorized — provide Bearer token";

/** The AG-UI surface, mounted at /ag-ui. Its errors are `{error: message}`. */
export function agUi(services: HttpServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/health", (c) => c.json({ status: "ok", protocol: "ag-ui", version: "1.1" }));
  app.post("/:agentId/sse", stream);
  app.post("/runs/:runId/sse", streamRun);
  app.post("/:agentId/respond", answer);
  app.post("/runs/:runId/respond", answerRun);
  app.all("/runs/:runId/respond", (c) => refuseMethod(c, "POST, OPTIONS"));
  app.all("/:agentId/respond", (c) => refuseMethod(c, "POST, OPTIONS"));
  app.all("/runs/:runId/sse", (c) => refuseMethod(c, "POST, OPTIONS"));
  app.all("/:agentId/sse", (c) => refuseMethod(c, "POST, OPTIONS"));
  app.all("/health", (c) => refuseMethod(c, "GET, HEAD, OPTIONS"));
  return app;

  async function stream(c: HttpContext): Promise<Response> {
    const who = await caller(c, "read");
    const { message, threadId, attempt, ...dialect } = readRunInput(await readJson(c));
    const agentId = idOf(c, "agentId");
    return respondStream(services, c, {
      dialect,
      async open(reading) {
        if (message !== undefined) {
          const { files, ...said } = message;
          await say(services, who, { agentId, threadId, message: said, files });
        }
        return openStream(services, who, { ...reading, agentId, taskId: threadId, attempt });
      },
    });
  }

  async function streamRun(c: HttpContext): Promise<Response> {
    const who = await caller(c, "read");
    const { attempt, ...dialect } = readReading(await readOptionalJson(c));
    const runId = idOf(c, "runId");
    return respondStream(services, c, {
      dialect,
      open: (reading) => openRunStream(services, who, { ...reading, runId, attempt }),
    });
  }

  async function answer(c: HttpContext): Promise<Response> {
    const who = await caller(c, "write");
    const { threadId, interactionId, ...body } = await readJson(c);
    if (!isName(threadId) || !isName(interactionId)) {
      throw new AppError("bad_request", "threadId and interactionId are required");
    }
    const taskId = threadId.toLowerCase();
    await respond(services, who, { taskId, agentId: idOf(c, "agentId"), interactionId, body });
    return c.json({ ok: true, interactionId });
  }

  async function answerRun(c: HttpContext): Promise<Response> {
    const who = await caller(c, "write");
    const { interactionId, threadId: _, ...body } = await readJson(c);
    if (!isName(interactionId)) throw new AppError("bad_request", "interactionId is required");
    await respond(services, who, { taskId: idOf(c, "runId"), interactionId, body });
    return c.json({ ok: true, interactionId });
  }

  async function caller(c: HttpContext, scope: KeyScope) {
    const who = await bearerKey(services, c, { kinds: ["ag-ui", "a2a"], refusal: NO_VALID_TOKEN });
    requireScope(who, scope);
    return who;
  }
}

/** An id in the path, in lower case as all ids are kept; what is none is found nowhere. */
function idOf(c: HttpContext, name: "agentId" | "runId"): string {
  return (c.req.param(name) ?? "").toLowerCase();
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function refuseMethod(c: HttpContext, allow: string): never {
  throw new AppError("method_not_allowed", `${c.req.method} is not supported here. Allowed: ${allow}.`, {
    headers: { Allow: allow },
  });
}
