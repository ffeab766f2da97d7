import type { Page } from "playwright-core";
import { z } from "zod";
import { apiOf, consoleOf } from "../support/api.ts";
import type { Api } from "../support/api.ts";
import { ADA, ADA_ENV } from "../support/accounts.ts";
import { startScriptedService } from "../support/providers/scripted-agents.ts";
import type { ScriptedService } from "../support/providers/scripted-agents.ts";
import { startService } from "../support/service.ts";
import type { StartOptions, TestService } from "../support/service.ts";
import { addKey, sql } from "../support/workspace.ts";

/** A service with an owner who has a password, and its API. */
export interface Scene {
  readonly service: TestService;
  readonly api: Api;
  /** Signs the owner in, for all pages of this page's context. */
  signIn(page: Page): Promise<void>;
}

/** Starts a service for the tests of a file. */
export async function openScene(options: StartOptions = {}): Promise<Scene> {
  const service = await startService({ ...options, env: { ...ADA_ENV, ...options.env } });
  return {
    service,
    api: apiOf(service, service.keys.api),
    signIn: (page) => signInOn(page, service.url),
  };
}

/** A scene whose agents do what scripts say. */
export type ScriptedScene = Scene & ScriptedService;

/**
 * Starts a service with scripted agents for the tests of a file.
 * @param env settings of the service, instead of the defaults
 */
export async function openScriptedScene(env: Readonly<Record<string, string>> = {}): Promise<ScriptedScene> {
  const scripted = await startScriptedService({ ...ADA_ENV, ...env });
  return { ...scripted, signIn: (page) => signInOn(page, scripted.service.url) };
}

/** Opens another workspace of the owner, with a key of its own. */
export async function openWorkspace({ service }: Scene, name: string) {
  const made = await consoleOf(service, service.keys.api).post("/workspaces", { name });
  const { id: workspaceId, slug } = workspace.parse(made.body);
  const owner = "select user_id from members where workspace_id = $1";
  const [row] = await sql<{ user_id: string }>(service.databaseUrl, owner, [workspaceId]);
  const key = await addKey(service.databaseUrl, { workspaceId, ownerId: row?.user_id ?? "" });
  return { slug, key, api: apiOf(service, key) };
}

const workspace = z.looseObject({ id: z.string(), slug: z.string() });

/** Joins the workspace by an invitation, on a page without a session. */
export async function joinAs({ service }: Scene, page: Page, role: "viewer" | "member" | "admin"): Promise<void> {
  const invitation = { email: `${role}@example.org`, role };
  const { body } = await consoleOf(service, service.keys.api).post("/invitations", invitation);
  await page.goto(z.looseObject({ link: z.string() }).parse(body).link);
  await page.getByLabel("Password").fill("another password");
  await page.getByRole("button", { name: "Join workspace" }).click();
  await page.waitForURL("**/w/**");
}

/** Under which names a tab stores what was typed and is not sent. */
export async function draftsOf(page: Page): Promise<readonly string[]> {
  const keys = z.array(z.string()).parse(await page.evaluate("Object.keys(sessionStorage)"));
  return keys.filter((key) => key.startsWith("muster.draft."));
}

/** Signs a person in for all pages of this page's context, without the form, which has its own tests. */
export async function signInOn(
  page: Page,
  url: string,
  person: { readonly email: string; readonly password: string } = ADA,
): Promise<void> {
  const { email, password } = person;
  const answer = await page.context().request.post(`${url}/auth/sign-in`, { data: { email, password } });
  if (!answer.ok()) throw new Error(`The sign-in was rejected: ${await answer.text()}`);
}
