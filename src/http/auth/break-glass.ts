import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { escapeHtml } from "#lib/text/escape-html.ts";
import { breakGlass } from "#operations/accounts/break-glass.ts";
import type { Api } from "../api/shape/route.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { documentWith, respondPage } from "../own-page.ts";
import { clientOf } from "./client.ts";
import { setDeviceCookie, setRefreshCookie } from "./refresh-cookie.ts";

const PATH = "/auth/break-glass";
const form = z.object({ token: z.string().min(1).max(200) });

/**
 * Adds /auth/break-glass, the target of the link of `muster setup-link` where passwords are off. The page has a button,
 * since what only looks at links must not use them up.
 */
export default function addBreakGlass({ app, services }: Api): void {
  app.get(PATH, (c) => respondPage((nonce) => askPage(c.req.query("token") ?? "", nonce), 200));
  app.post(PATH, (c) => enter(services, c));
}

async function enter(services: HttpServices, c: HttpContext): Promise<Response> {
  const given = form.safeParse(await c.req.parseBody());
  if (!given.success) throw new AppError("bad_request", "The form has one field: token, that of the link.");
  const session = await breakGlass(services, given.data.token, clientOf(c, services));
  setRefreshCookie(c, services, session.refreshToken);
  setDeviceCookie(c, services, session.deviceToken);
  return c.redirect("/", 303);
}

function askPage(token: string, nonce: string): string {
  const title = "Sign in as the owner";
  const body = `<h1>${title}</h1><p>This link works once. The session ends after an hour.</p>
    <form method="post" action="${PATH}"><input type="hidden" name="token" value="${escapeHtml(token)}">
    <p><button>Sign in</button></p></form>`;
  return documentWith({ title, body, nonce, refresh: false });
}
