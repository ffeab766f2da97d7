import { extname } from "node:path";
import type { MiddlewareHandler } from "hono";
import type { ConsoleBuild, PageName } from "./console-build.ts";
import type { HttpContext, HttpEnv } from "./context.ts";
import { ISOLATION, acceptsHtml, respondPage } from "./own-page.ts";
import { webAppFile } from "./web-app/web-app.ts";
import { buildFailedPage, notBuiltPage, waitingPage, withBuildFailure } from "./waiting-page.ts";

const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;
const ASSETS = "/assets/";
const ONE_YEAR = "public, max-age=31536000, immutable";
/** Pages of the console; any other URL shows its page for unknown ones, with 404. */
const KNOWN_PAGE = /^\/(?:setup|sign-in|passkey|sign-up|reset|invite|a|s|(?:w|r|connect)\/.+|p\/[^/]+)?\/?$/;
/** The page of an agent, for its visitors. */
const AGENT_PAGE = /^\/p\/([^/]+)\/?$/;
/** Where a person connects an app. Web apps open it in a window that tells them the end, by its opener. */
const CONSENT_PAGE = /^\/connect\/./;
/** One-time links of the API, and the console page for the same purpose. */
const LINKS: Readonly<Record<string, string>> = {
  "/auth/setup": "/setup",
  "/auth/reset": "/reset",
  "/auth/invitations": "/invite",
};
const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};
/** The sources of pages. */
export interface PageOptions {
  readonly build: ConsoleBuild;
  /** The first path segments of the API, such as `auth`: there, programs and browsers get the same response. */
  readonly apiRoots: () => ReadonlySet<string>;
  /** The name of the service, under which it is installed on a home screen. */
  readonly serviceName: string;
  /** The origins of the sites that may show the page with a slug in a frame. */
  readonly framedBy: (slug: string) => Promise<readonly string[]>;
}

/** Which document is served, and the sites that may frame it. */
interface ServedPage {
  readonly name: PageName;
  readonly framedBy: readonly string[];
}

const CONSOLE: ServedPage = { name: "index.html", framedBy: [] };

/**
 * Serves the console: its files below /assets/, and its page at every URL that a browser opens outside the API. Runs
 * before the middleware that opens the API to other origins. Programs always get the API's responses.
 */
export function pages({ build, apiRoots, serviceName, framedBy }: PageOptions): MiddlewareHandler<HttpEnv> {
  return async function pages(c, next) {
    const { method, path } = c.req;
    if (method !== "GET" && method !== "HEAD") return next();
    if (path.startsWith(ASSETS)) return (await serveAsset(c, build)) ?? next();
    const file = await webAppFile(path, serviceName);
    if (file !== undefined) return new Response(file.content, { headers: { ...ISOLATION, ...file.headers } });
    if (!acceptsHtml(c)) return next();
    const link = LINKS[path];
    if (link !== undefined) return redirectToPage(link, c.req.query("token") ?? "");
    const [, slug] = AGENT_PAGE.exec(path) ?? [];
    if (slug !== undefined) return servePage(c, build, { name: "page.html", framedBy: await framedBy(slug) });
    const [, root = ""] = path.split("/");
    if (apiRoots().has(root)) return next();
    const page = await servePage(c, build, CONSOLE);
    if (CONSENT_PAGE.test(path)) page.headers.delete("Cross-Origin-Opener-Policy");
    return page;
  };
}

/** Moves the token to the fragment, which browsers neither send nor log. */
function redirectToPage(page: string, token: string): Response {
  const location = `${page}#token=${encodeURIComponent(token)}`;
  return new Response(null, {
    status: 303,
    headers: { ...ISOLATION, "Cache-Control": "no-store", Location: location },
  });
}

async function serveAsset(c: HttpContext, build: ConsoleBuild): Promise<Response | undefined> {
  const name = c.req.path.slice(ASSETS.length);
  const asset = await build.readAsset(name, c.req.header("Accept-Encoding") ?? "");
  if (asset === undefined) return undefined;
  const headers = {
    ...ISOLATION,
    "Content-Type": TYPES[extname(name)] ?? "application/octet-stream",
    "Cache-Control": ONE_YEAR,
    Vary: "Accept-Encoding",
    ...(asset.encoding !== undefined && { "Content-Encoding": asset.encoding }),
  };
  return new Response(asset.content, { headers });
}

async function servePage(c: HttpContext, build: ConsoleBuild, served: ServedPage): Promise<Response> {
  const { name, framedBy } = served;
  const status = await build.readStatus();
  switch (status.state) {
    case "ready":
      return serveBuild(c, await build.readPage(status.build, name), framedBy);
    case "building":
      if (status.previous !== undefined) return serveBuild(c, await build.readPage(status.previous, name), framedBy);
      return respondPage((nonce) => waitingPage("The console is being built", nonce), 503, framedBy);
    case "failed":
      if (status.previous !== undefined) {
        return serveBuild(c, withBuildFailure(await build.readPage(status.previous, name), status.message), framedBy);
      }
      return respondPage((nonce) => buildFailedPage(status.message, nonce), 500, framedBy);
    case "missing":
      return respondPage(notBuiltPage, 503, framedBy);
  }
}

function serveBuild(c: HttpContext, page: string, framedBy: readonly string[]): Response {
  const status = KNOWN_PAGE.test(c.req.path) ? 200 : 404;
  return respondPage((nonce) => page.replaceAll(NONCE_PLACEHOLDER, nonce), status, framedBy);
}
