import type { Page } from "playwright-core";
import { apiOf } from "../support/api.ts";
import type { Api } from "../support/api.ts";
import { ADA, ADA_ENV } from "../support/accounts.ts";
import { startService } from "../support/service.ts";
import type { StartOptions, TestService } from "../support/service.ts";

/** A service with an owner who has a password, and its API. */
export interface Scene {
  readonly service: TestService;
  readonly api: Api;
  /** Signs the owner in on a page, which then shows the runs. */
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

/** Fills the form of the sign-in page. */
export async function signInOn(
  page: Page,
  url: string,
  person: { readonly email: string; readonly password: string } = ADA,
) {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/w/**");
}
