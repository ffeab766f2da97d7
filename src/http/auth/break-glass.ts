import { escapeHtml } from "#lib/text/escape-html.ts";
import { breakGlass } from "#operations/accounts/break-glass.ts";
import type { Api } from "../api/shape/route.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { documentWith, respondPage } from "../own-page.ts";
import { readText } from "../middleware/read-body.ts";
import { clientOf } from "./client.ts";
import { orFailedPage } from "./failed-page.ts";
import { setDeviceCookie, setRefreshCookie } from "./refresh-cookie.ts";

const PATH = "/auth/break-glass";

/**
 * Adds /auth/break-glass, the target of the link of `muster setup-link` where passwords are off. The page has a button,
 * since what only looks at links must not use them up.
 */
export default function addBreakGlass({ app, services }: Api): void {
  app.get(PATH, (c) => respondPage((nonce) => askPage(c.req.query("token") ?? "", nonce), 200));
  app.post(PATH, (c) => orFailedPage(services, c, () => enter(services, c)));
}

async function enter(services: HttpServices, c: HttpContext): Promise<Response> {
  const token = new URLSearchParams(await readText(c)).get("token") ?? "";
  const session = await breakGlass(services, token, clientOf(c, services));
  setRefreshCookie(c, services, session.refreshToken);
  setDeviceCookie(c, services, session.deviceToken);
  return c.redirect("/", 303);
}

function askPage(token: string, nonce: string): string {
  const title = "Sign in as the owner";
  const body = `<h1>${title}</h1><p>This link works once. The session ends after an hour.</p>
    <form method="post" action="${PATH}"><input type="hidden" name="token" value="${escapeHtml(token)}">
    <button>Sign in</button></form>`;
  return documentWith({ title, body, nonce, refresh: false });
}
