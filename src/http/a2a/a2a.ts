import { createHash } from "node:crypto";
import { Hono } from "hono";
import { AppError } from "#domain/errors.ts";
import { publishedAgent, publishedAgents } from "#operations/conversations/a2a/card-agents.ts";
import { bearerCaller } from "../middleware/authenticate.ts";
import type { BearerCaller } from "../bearer-caller.ts";
import type { HttpContext, HttpEnv, HttpServices } from "../context.ts";
import { countRequest } from "../middleware/rate-limit.ts";
import { limitBody } from "../middleware/limit-body.ts";
import { originOf } from "../middleware/origin.ts";
import { hybridCard, lastModified, sourceOfAgent, sourceOfInstance, strictCard } from "#protocols/a2a/cards.ts";
import type { CardSource } from "#protocols/a2a/cards.ts";
import { RpcError, errorBody, parseRpcRequest, resultBody, rpcErrorOf } from "#protocols/a2a/json-rpc.ts";
import type { RequestId } from "#protocols/a2a/json-rpc.ts";
import { assertJson, callMethod, isAnsweredByBinding } from "./call-method.ts";
import { KEYS_PATH, cardKeys, cardSigner } from "#protocols/a2a/sign-card.ts";
import { METHODS } from "./methods.ts";
import { isRestPath, respondRest, respondRestError } from "./rest.ts";
import { requestedVersion } from "./version.ts";
import { formatSize } from "#lib/text/format-size.ts";

const CARD_SECONDS = 300;
const CARD_FILES = ["agent-card.json", "agent.json"] as const;
const WELL_KNOWN: ReadonlySet<string> = new Set([...CARD_FILES.map((file) => `/.well-known/${file}`), KEYS_PATH]);
const UNAUTHORIZED = "Unauthorized — provide Bearer token";

/** The A2A surface: agent cards, and JSON-RPC endpoints for each agent and for the instance. */
export function a2a(services: HttpServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const maxBytes = services.maxBodyBytes + Math.ceil(services.maxFileBytes / 3) * 4;
  const limit = limitBody(maxBytes, () => tooLarge(maxBytes));
  for (const file of CARD_FILES) {
    app.get(`/.well-known/${file}`, instanceCard);
    app.get(`/a2a/.well-known/${file}`, instanceCard);
    app.get(`/a2a/:agentId/.well-known/${file}`, agentCard);
  }
  app.get(KEYS_PATH, (c) => c.json(cardKeys(services.secrets)));
  app.get("/a2a", instanceCard);
  app.get("/a2a/:agentId", agentCard);
  app.post("/a2a", call);
  app.all("/a2a/:agentId/*", (c, next) => (isRestPath(c.req.path) ? rest(c) : next()));
  app.post("/a2a/:agentId", call);
  return app;

  async function instanceCard(c: HttpContext): Promise<Response> {
    const agentId = c.req.query("agent_id");
    if (agentId !== undefined) return respondCard(services, c, await sourceOf(c, agentId));
    return respondCard(services, c, sourceOfInstance(await publishedAgents(services), originOf(c, services)));
  }

  async function agentCard(c: HttpContext): Promise<Response> {
    return respondCard(services, c, await sourceOf(c, c.req.param("agentId") ?? ""));
  }

  async function sourceOf(c: HttpContext, agentId: string): Promise<CardSource> {
    return sourceOfAgent(await publishedAgent(services, agentId.toLowerCase()), originOf(c, services));
  }

  async function call(c: HttpContext): Promise<Response> {
    return respondRpc(services, c, await admitted(c));
  }

  async function rest(c: HttpContext): Promise<Response> {
    return respondRest(services, c, await admitted(c));
  }

  /** Authenticates before the body is read: requests without a key cannot make the service store long bodies. */
  async function admitted(c: HttpContext): Promise<BearerCaller> {
    const caller = await bearerCaller(services, c, { surface: "a2a", message: UNAUTHORIZED });
    await countRequest(services, c, caller.principal);
    await limit(c, () => Promise.resolve());
    return caller;
  }
}

/** Calls the method of a JSON-RPC request. */
async function respondRpc(services: HttpServices, c: HttpContext, caller: BearerCaller): Promise<Response> {
  let requestId: RequestId = null;
  let isStreaming = false;
  try {
    assertJson(c);
    const request = parseRpcRequest(await c.req.text());
    requestId = request.id;
    c.set("rpcId", requestId);
    if ("error" in request) throw request.error;
    const version = requestedVersion(c);
    const method = METHODS.get(request.method);
    if (method === undefined) throw new RpcError("methodNotFound", `Unknown method ${request.method}.`);
    isStreaming = method.streams === true;
    const result = await callMethod(services, c, {
      caller,
      method,
      agentId: c.req.param("agentId")?.toLowerCase(),
      params: request.params,
      envelope: (streamed) => resultBody(requestId, streamed),
    });
    c.header("A2A-Version", version ?? method.dialect.version);
    return result instanceof Response ? result : c.json(resultBody(requestId, result));
  } catch (error) {
    if (!isAnsweredByBinding(error)) throw error;
    const body = errorBody(requestId, rpcErrorOf(error));
    return isStreaming && acceptsEvents(c) ? respondEvent(c, body) : c.json(body);
  }
}

/** The clients of streams read nothing but events. */
function acceptsEvents(c: HttpContext): boolean {
  return c.req.header("Accept")?.includes("text/event-stream") === true;
}

function respondEvent(c: HttpContext, body: object): Response {
  return c.body(`data: ${JSON.stringify(body)}\n\n`, 200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache",
  });
}

/** True if a path belongs to this surface. */
export function isA2aPath(path: string): boolean {
  return path === "/a2a" || path.startsWith("/a2a/") || WELL_KNOWN.has(path);
}

/**
 * Responds to a request that HTTP has a status for: without a key, with a body that is too long, or for a card that
 * does not exist, which is no missing task.
 */
export function respondA2aError(c: HttpContext, error: AppError): Response {
  if (isRestPath(c.req.path)) return respondRestError(c, error);
  const shown = error.code === "not_found" ? new RpcError("invalidRequest", error.message) : rpcErrorOf(error);
  return c.json(errorBody(c.get("rpcId") ?? null, shown), error.status, { ...error.headers });
}

function respondCard(services: HttpServices, c: HttpContext, source: CardSource): Response {
  let version: ReturnType<typeof requestedVersion>;
  try {
    version = requestedVersion(c);
  } catch (error) {
    return c.json(errorBody(null, rpcErrorOf(error)), 400);
  }
  const signing = { signer: cardSigner(services.secrets), keysUrl: originOf(c, services) + KEYS_PATH };
  const card = (version === "1.0" ? strictCard : hybridCard)(source, signing);
  // Two signatures of the same card differ, so the tag is of the card and the key.
  const content = JSON.stringify({ ...card, signatures: signing.signer.publicKey });
  const tag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
  const modified = lastModified(source);
  const headers = {
    "Cache-Control": `public, max-age=${CARD_SECONDS}`,
    ETag: tag,
    Vary: "A2A-Version",
    ...(modified !== undefined && { "Last-Modified": modified.toUTCString() }),
  };
  const given = c.req.header("If-None-Match") ?? "";
  const known = new Set(given.split(",").map((one) => one.trim().replace(/^W\//, "")));
  if (known.has(tag) || known.has("*")) return c.body(null, 304, headers);
  return c.body(JSON.stringify(card), 200, { ...headers, "Content-Type": "application/json" });
}

function tooLarge(maxBytes: number): never {
  throw new AppError(
    "payload_too_large",
    `The body is larger than ${formatSize(maxBytes)}, the limit for a message with a file in base64.`,
  );
}
