import { z } from "zod";
import { PAGE_ROOT, shownPage } from "#domain/agents/agent-page.ts";
import { AppError } from "#domain/errors.ts";
import { admitAttempt } from "#operations/accounts/attempts.ts";
import type { Client } from "#operations/accounts/client.ts";
import { checkAnswer, checkMessage, countMessage } from "#operations/conversations/page-limits.ts";
import * as visits from "#operations/conversations/page-visits.ts";
import type { Visit } from "#operations/conversations/page-visits.ts";
import { streamEvent } from "#protocols/ag-ui/event-schemas.ts";
import { readRunInput } from "#protocols/ag-ui/run-input.ts";
import type { RunInput } from "#protocols/ag-ui/run-input.ts";
import { visitorEvents } from "#protocols/ag-ui/visitor-events.ts";
import { endpoint } from "../api/shape/endpoint.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import type { HttpContext, HttpServices, WorkspaceCaller } from "../context.ts";
import { bearerToken } from "../middleware/authenticate.ts";
import { readOptionalJson } from "../middleware/read-body.ts";
import { requestWorkspace } from "../request-workspace.ts";
import { respondThread, startsWork } from "../ag-ui/respond-thread.ts";
import { clientOf } from "./client.ts";

/** The most streams that one visitor has open: as many tabs. */
const MAX_STREAMS = 6;

const slugParam = z.strictObject({ slug: z.string().max(100) });
const conversation = z.guid().describe("Your id of the conversation: a UUID that you choose.");

const opened = z.strictObject({
  token: z
    .string()
    .nullable()
    .describe("For Authorization: Bearer at the paths beside; null: send the code first. Keep it: it is the visitor."),
  title: z.string(),
  page: shownPage.nullable(),
});

/**
 * Adds what visitors of agents' pages use: the page of a slug, and its conversations over AG-UI. They are those of
 * /ag-ui, with a visitor in place of a key.
 */
export default function addAgentPages(api: Api): void {
  addPath(api, `${PAGE_ROOT}/{slug}/open`, { tag: "Agent pages", endpoints: [open] });
  addPath(api, `${PAGE_ROOT}/{slug}/sse`, { tag: "Agent pages", endpoints: [stream] });
  addPath(api, `${PAGE_ROOT}/{slug}/stop`, { tag: "Agent pages", endpoints: [stop] });
}

const open = endpoint({
  method: "post",
  operationId: "openAgentPage",
  needs: "public",
  summary: "Open an agent's page as a visitor; returns the visitor's token",
  params: slugParam,
  body: visits.openInput,
  success: { status: 200, schema: opened },
  async handle({ c, services, params, body }) {
    rejectForeignScript(c);
    return respondValue(c, await visits.openPage(services, { ...body, ...params }, clientOf(c, services)));
  },
});

const stream = endpoint({
  method: "post",
  operationId: "streamAgentPage",
  needs: "public",
  summary:
    "Send a message or an answer as a visitor, or follow a conversation: a request of AG-UI with the visitor's token in Authorization: Bearer",
  params: slugParam,
  ownBody: {
    schema: z.looseObject({
      threadId: conversation,
      messages: z.array(z.looseObject({ id: z.string(), role: z.string(), content: z.unknown() })).default([]),
      resume: z.array(z.looseObject({ interruptId: z.string(), status: z.enum(["resolved", "cancelled"]) })).optional(),
    }),
  },
  success: { status: 200, schema: streamEvent, contentType: "text/event-stream" },
  handle: ({ c, services, params }) => respondVisitor(services, c, params.slug),
});

const stop = endpoint({
  method: "post",
  operationId: "stopAgentPage",
  needs: "public",
  summary: "Stop the answer of a conversation as its visitor, with the visitor's token in Authorization: Bearer",
  params: slugParam,
  body: z.strictObject({ threadId: conversation }),
  success: { status: 204 },
  async handle({ c, services, params, body }) {
    rejectForeignScript(c);
    const client = clientOf(c, services);
    const visit = await visits.visitPage(services, params.slug, bearerToken(c));
    await admitAttempt(services.db, { page_read: client.address });
    const workspace = requestWorkspace(services, c, visit.principal);
    await visits.stopConversation(workspace, visits.threadOf(visit, body.threadId));
  },
});

async function respondVisitor(services: HttpServices, c: HttpContext, slug: string): Promise<Response> {
  rejectForeignScript(c);
  const client = clientOf(c, services);
  const visit = await visits.visitPage(services, slug, bearerToken(c));
  const { threadId: given, messages = [], resume, ...others } = await readOptionalJson(c);
  const id = conversation.safeParse(given);
  if (!id.success) throw new AppError("bad_request", "threadId must be a UUID");
  const { runId = id.data, protocolVersion } = others;
  // Earlier messages are known; as instructions of a client they would pass the limits.
  const newest = Array.isArray(messages) ? messages.slice(-1) : messages;
  const request = { threadId: id.data, runId, messages: newest, resume, protocolVersion };
  const read = readRunInput(request, { interrupts: true });
  // Only the page's own agent acts: a visitor brings no tools, and no results of any.
  const input = { ...read, results: new Map(), attempt: undefined };
  await admit(services, { visit, client, input });
  const caller = callerOf(services, c, { visit, slug });
  try {
    return await respondThread(services, c, {
      caller,
      thread: visits.threadOf(visit, id.data),
      input,
      shown: (events) => visitorEvents(events, (asked) => visits.answererOf(caller.workspace, asked)),
    });
  } catch (error) {
    const says = error instanceof AppError ? refusalOf(error, input) : undefined;
    throw error instanceof AppError && says !== undefined ? new AppError(error.code, says) : error;
  }
}

/** What a visitor is told instead of what an operation tells people of the workspace. */
function refusalOf({ code }: AppError, { resume }: RunInput): string | undefined {
  if (code === "quota_exceeded") return "The agent takes no more messages for now. Try again later.";
  if (code !== "conflict") return undefined;
  if (resume !== undefined) return "This question is no longer open.";
  return "The agent is still busy with this conversation. Send your message when it has finished.";
}

interface Sent {
  readonly visit: Visit;
  readonly client: Client;
  readonly input: RunInput;
}

/** Lets a request pass that reads, or whose message is within all limits. @throws AppError */
async function admit(services: HttpServices, { visit, client, input }: Sent): Promise<void> {
  if (!startsWork(input)) return void (await admitAttempt(services.db, { page_read: client.address }));
  visits.requireWorking(visit);
  if (input.message !== undefined) checkMessage(visit, input.message);
  if (input.resume?.body !== undefined) checkAnswer(visit, input.resume.body);
  try {
    await countMessage(services.db, visit, client);
    const { passes, retryAfter } = await services.limits.takeShared(visit.principal);
    if (!passes) throw busy(retryAfter);
  } catch (error) {
    services.observe({ type: "page_message", outcome: "limited" });
    throw error;
  }
  services.observe({ type: "page_message", outcome: "accepted" });
}

function busy(seconds: number): AppError {
  return new AppError("rate_limit_exceeded", `The agent is busy. Try again in ${seconds} s.`, {
    headers: { "Retry-After": String(seconds) },
  });
}

function callerOf(
  services: HttpServices,
  c: HttpContext,
  { visit, slug }: { readonly visit: Visit; readonly slug: string },
): WorkspaceCaller {
  const { page, visitor, principal } = visit;
  c.set("workspaceId", page.workspaceId);
  return {
    principal,
    workspace: requestWorkspace(services, c, principal),
    // All visitors of a page are checked together: what ends one of their streams ends all.
    token: `${page.id} ${page.generation} ${page.codeHash ?? ""}`,
    address: "",
    streams: { owner: `${page.id} ${visitor}`, max: MAX_STREAMS },
    recheck: () => visits.revisit(services, visit, slug),
  };
}

/** Sites show the page in a frame; their scripts do not talk to it in its place. @throws AppError `forbidden` */
function rejectForeignScript(c: HttpContext): void {
  const from = c.req.header("Sec-Fetch-Site");
  if (from === undefined || from === "same-origin" || from === "none") return;
  throw new AppError("forbidden", "Other sites show this page in a frame; their scripts cannot use it.");
}
