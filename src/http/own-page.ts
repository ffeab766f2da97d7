import { randomBytes } from "node:crypto";
import { escapeHtml } from "#lib/text/escape-html.ts";
import type { HttpContext } from "./context.ts";

const RETRY_SECONDS = "1";
/** What is not enforced yet; a browser writes violations to its console, and sends them nowhere. */
const REPORTED = "require-trusted-types-for 'script'";
/** For pages and their files: other origins may not embed or read them. */
export const ISOLATION = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

/** Inline, since the console's files are what is missing. The colours are those of the console. */
const STYLE = `
  :root { color-scheme: light dark; --canvas: #fff; --ink: #15181e; --ink-2: #4b5260; --line: #e2e5ea; --accent: #3550c8 }
  @media (prefers-color-scheme: dark) {
    :root { --canvas: #0f1115; --ink: #e8eaee; --ink-2: #abb2bf; --line: #272c35; --accent: #93a5ff }
  }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--canvas); color: var(--ink);
    font: 14px/22px system-ui, sans-serif }
  main { box-sizing: border-box; width: 100%; max-width: 560px; padding: 24px }
  h1 { margin: 0 0 8px; font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -0.01em }
  p { margin: 0; color: var(--ink-2) }
  p + p { margin-top: 16px }
  a { color: var(--accent) }
  form { margin-top: 16px }
  button { padding: 9px 16px; border: 0; border-radius: 6px; background: var(--accent); color: var(--canvas);
    font: inherit; font-weight: 500; cursor: pointer }
  pre { margin: 16px 0; padding: 12px; border: 1px solid var(--line); border-radius: 6px; overflow: auto; max-height: 50vh;
    font: 12px/18px ui-monospace, monospace; white-space: pre-wrap }
  i { display: block; width: 100%; height: 2px; margin: 24px 0 0; background: var(--line); overflow: hidden }
  i::after { content: ""; display: block; width: 33%; height: 2px; background: var(--accent) }
  @media (prefers-reduced-motion: no-preference) {
    i::after { animation: pass 1.6s ease-in-out infinite alternate }
    @keyframes pass { from { transform: none } to { transform: translateX(200%) } }
  }
`;

/** True if a browser requests a page, as opposed to a program or a script that requests data. */
export function acceptsHtml(c: HttpContext): boolean {
  return (c.req.header("Accept") ?? "").includes("text/html");
}

/**
 * Responds with a page and a policy that allows only resources of the service itself, and styles with the nonce.
 * @param framedBy the origins of the sites that may show it in a frame; none by default
 */
export function respondPage(
  page: (nonce: string) => string,
  status: number,
  framedBy: readonly string[] = [],
): Response {
  const { html, headers } = protectedPage(page, framedBy);
  return new Response(html, {
    status,
    headers: { ...headers, ...(status === 503 && { "Retry-After": RETRY_SECONDS }) },
  });
}

/** A page with the headers of {@link respondPage}, for what does not respond by Hono. */
export function protectedPage(page: (nonce: string) => string, framedBy: readonly string[] = []) {
  const nonce = randomBytes(16).toString("base64");
  const headers = {
    ...ISOLATION,
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": contentSecurityPolicy(nonce, framedBy),
    // A site that isolates itself shows only frames that agree to it.
    ...(framedBy.length > 0 && { "Cross-Origin-Resource-Policy": "cross-origin" }),
    "Content-Security-Policy-Report-Only": REPORTED,
    "X-Robots-Tag": "noindex",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  };
  return { html: page(nonce), headers };
}

/** A page that needs no file. */
interface Page {
  readonly title: string;
  /** As HTML. */
  readonly body: string;
  readonly nonce: string;
  /** Whether it reloads each second. */
  readonly refresh: boolean;
}

/** Returns the document of a page. */
export function documentWith({ title, body, nonce, refresh }: Page): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh ? '<meta http-equiv="refresh" content="1">\n' : ""}<title>${escapeHtml(title)} · Muster</title>
<style nonce="${nonce}">${STYLE}</style>
<main>${body}</main>
</html>
`;
}

function contentSecurityPolicy(nonce: string, framedBy: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : ["'self'", ...framedBy].join(" ")}`,
  ].join("; ");
}
