import { createHmac } from "node:crypto";
import { z } from "zod";
import { MAX_PAGE_FILES } from "#domain/agents/agent-page.ts";
import type { ShownPage } from "#domain/agents/agent-page.ts";
import { generateToken, hashKey } from "#domain/access/api-key.ts";
import type { Principal } from "#domain/access/principal.ts";
import { AppError } from "#domain/errors.ts";
import { isForClient, question as questionSchema } from "#domain/tasks/interaction.ts";
import { findPage } from "#db/queries/agents/agent-pages.ts";
import type { VisitedPage } from "#db/queries/agents/agent-pages.ts";
import { lockRuns } from "#db/queries/runs/lock-runs.ts";
import { readQuestion } from "#db/queries/runs/questions.ts";
import type { ThreadKey } from "#db/queries/tasks/agent-threads.ts";
import { areEqual } from "#lib/security/equal-texts.ts";
import { verifyPassword } from "#lib/security/password.ts";
import { admitAttempt } from "../accounts/attempts.ts";
import type { Client } from "../accounts/client.ts";
import type { Services } from "../context.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { resolveThread } from "../streams/open-stream.ts";
import type { Workspace } from "../workspace.ts";

/** The purpose of the derived key that signs visitors' tokens. */
const VISITOR_PURPOSE = "page-visitor";
const TOKEN = /^([A-Za-z0-9]{20,100})\.([\w-]{43})$/;

/** The body of POST /p/{slug}/open. */
export const openInput = z.strictObject({
  code: z.string().max(100).optional().describe("The page's code, if it has one."),
  visitor: z
    .string()
    .max(300)
    .optional()
    .describe("The token of an earlier visit: its conversations go on. Without it, a new visitor comes."),
});

/** A page as its visitor opens it. */
export interface OpenedPage {
  /** The visitor's token; null as long as the page needs its code. */
  readonly token: string | null;
  readonly title: string;
  readonly page: ShownPage | null;
}

/** A visitor at a page. */
export interface Visit {
  readonly page: VisitedPage;
  /** The hash of the visitor's secret. */
  readonly visitor: string;
  /** Acts for the visitor: as the page, with its agent only. */
  readonly principal: Principal;
}

/**
 * Opens a page for a visitor, new or known. The token is a random secret with a signature: it is valid for this page
 * until its tokens are ended or its code changes.
 * @throws AppError `not_found`, or `gone` while it is off; `forbidden` for a wrong code; `rate_limit_exceeded`
 */
export async function openPage(
  services: Services,
  { slug, code, visitor }: z.output<typeof openInput> & { readonly slug: string },
  client: Client,
): Promise<OpenedPage> {
  await admitAttempt(services.db, { page_open: client.address });
  const page = await findOpen(services, slug);
  const known = visitor === undefined ? undefined : secretIn(visitor);
  const isIn = visitor !== undefined && known !== undefined && isSigned(services, page, visitor);
  if (!isIn && page.codeHash !== null) {
    if (code === undefined || code === "") return { token: null, title: page.title, page: null };
    await checkCode(services, page, { code, client });
  }
  const secret = known ?? generateToken();
  return { token: `${secret}.${sign(services, page, secret)}`, title: page.title, page: shown(page) };
}

/**
 * The visitor with a token at a page.
 * @throws AppError `not_found`, or `gone` while it is off; `unauthorized` for a token that is not valid here any more
 */
export async function visitPage(services: Services, slug: string, token: string | undefined): Promise<Visit> {
  const page = await findOpen(services, slug);
  const secret = token === undefined ? undefined : secretIn(token);
  if (token === undefined || secret === undefined || !isSigned(services, page, token)) {
    throw new AppError("unauthorized", "Open the page again.");
  }
  const { id: pageId, workspaceId, agentId } = page;
  const principal: Principal = {
    workspaceId,
    userId: pageId,
    pageId,
    role: "member",
    keyId: null,
    scopes: ["read", "write"],
    reach: [agentId],
  };
  return { page, visitor: hashKey(secret), principal };
}

/** Checks again that a visit may go on. @throws AppError `unauthorized` once it may not */
export async function revisit({ db }: Services, { page, principal }: Visit, slug: string): Promise<Principal> {
  const now = await findPage(db, slug.toLowerCase());
  const { id, generation, codeHash } = page;
  const isSame = now?.id === id && now.generation === generation && now.codeHash === codeHash;
  if (!isSame || !now.isOn) throw new AppError("unauthorized", "Open the page again.");
  return principal;
}

/** The thread of a visitor's conversation: no id that another visitor, or a key, sends leads to it. */
export function threadOf({ page, visitor }: Visit, conversation: string): ThreadKey {
  const threadId = `page:${page.id}:${page.generation}:${visitor.slice(0, 40)}:${conversation.toLowerCase()}`;
  return { agentId: page.agentId, threadId };
}

/** Checks that a page may start work now. @throws AppError `conflict` or `quota_exceeded`, with a sentence for visitors */
export function requireWorking({ page }: Visit): void {
  if (page.isPaused === true) throw new AppError("conflict", "The agent is taking a break. Try again later.");
  if (page.isSpent) throw new AppError("quota_exceeded", "This page has used up its budget for now. Try again later.");
}

/** Who is to answer the open question of a visitor's run; undefined when it is closed. */
export async function answererOf(
  workspace: Workspace,
  { taskId, interactionId }: { readonly taskId: string; readonly interactionId: string },
): Promise<"visitor" | "others" | undefined> {
  const open = await workspace.transaction((tx) => readQuestion(tx, taskId));
  if (open?.interactionId !== interactionId) return undefined;
  return isForClient(questionSchema.parse(open.question)) ? "visitor" : "others";
}

/** Stops the run of a visitor's conversation; one that has ended stays as it is. @throws AppError `not_found` */
export async function stopConversation(workspace: Workspace, thread: ThreadKey): Promise<void> {
  const taskId = await resolveThread(workspace, thread);
  await workspace.change(async (tx) => {
    const run = (await lockRuns(tx, [taskId])).get(taskId);
    if (run !== undefined) tx.publish(...(await cancelRun(tx, taskId)));
  });
}

/** The origins of the sites that may show a page in a frame, also while it is off: there it says so. */
export async function framingOrigins({ db }: Pick<Services, "db">, slug: string): Promise<readonly string[]> {
  return (await findPage(db, slug.toLowerCase()))?.origins ?? [];
}

async function findOpen({ db }: Pick<Services, "db">, slug: string): Promise<VisitedPage> {
  const page = await findPage(db, slug.toLowerCase());
  if (page === undefined) throw new AppError("not_found", "There is no page at this address.");
  if (!page.isOn) throw new AppError("gone", "This page is switched off.");
  return page;
}

async function checkCode(
  { db }: Pick<Services, "db">,
  { id, codeHash }: VisitedPage,
  { code, client }: { readonly code: string; readonly client: Client },
): Promise<void> {
  const succeeded = await admitAttempt(db, { page_code: `${id} ${client.address}` });
  if (!(await verifyPassword(code.trim(), codeHash))) throw new AppError("forbidden", "This code is not right.");
  await succeeded();
}

function secretIn(token: string): string | undefined {
  return TOKEN.exec(token)?.[1];
}

function isSigned({ secrets }: Pick<Services, "secrets">, page: VisitedPage, token: string): boolean {
  const [, secret = "", signature = ""] = TOKEN.exec(token) ?? [];
  return secrets.deriveAll(VISITOR_PURPOSE).some((key) => areEqual(signature, signWith(key, page, secret)));
}

function sign({ secrets }: Pick<Services, "secrets">, page: VisitedPage, secret: string): string {
  return signWith(secrets.derive(VISITOR_PURPOSE), page, secret);
}

function signWith(key: Buffer, { id, generation, codeHash }: VisitedPage, secret: string): string {
  return createHmac("sha256", key)
    .update(`${id}:${generation}:${codeHash ?? ""}:${secret}`)
    .digest("base64url");
}

function shown({ title, greeting, prompts, takesFiles, limits }: VisitedPage): ShownPage {
  const { message_chars, file_bytes } = limits;
  return {
    title,
    greeting,
    prompts: [...prompts],
    takes_files: takesFiles,
    message_chars,
    file_bytes,
    max_files: MAX_PAGE_FILES,
  };
}
