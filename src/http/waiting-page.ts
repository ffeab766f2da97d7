import { escapeHtml } from "#lib/text/escape-html.ts";
import { documentWith } from "./own-page.ts";

/** Returns a page that reloads until the awaited page exists. @param title names what is missing */
export function waitingPage(title: string, nonce: string): string {
  const body = `<h1>${escapeHtml(title)}</h1><p>This takes a few seconds. The page reloads automatically.</p><i></i>`;
  return documentWith({ title, body, nonce, refresh: true });
}

/** Returns the page for a console that was never built, with the command. */
export function notBuiltPage(nonce: string): string {
  const title = "The console is not built";
  const body = `<h1>${title}</h1><p>The API works. Build the console on the service's machine; this page then reloads automatically.</p><pre>npm run build</pre>`;
  return documentWith({ title, body, nonce, refresh: true });
}

/** Returns the page for a failed build, with the reason. */
export function buildFailedPage(message: string, nonce: string): string {
  const title = "The console could not be built";
  const body = `<h1>${title}</h1><p>The API works. Run <code>npm run build</code> on the service's machine to try again.</p><pre>${escapeHtml(message)}</pre>`;
  return documentWith({ title, body, nonce, refresh: false });
}

const NOTICE_STYLE = `
  .build-failure { position: fixed; inset: auto 16px 16px auto; z-index: 50; max-width: min(480px, calc(100vw - 32px));
    padding: 8px 12px; border: 1px solid; border-radius: 6px; background: Canvas; color: CanvasText; font-size: 12px }
  @media (width < 640px) { .build-failure { bottom: 72px } }
  .build-failure pre { max-height: 30vh; overflow: auto; white-space: pre-wrap }
`;

/** Adds to the page of the previous build that it is that, with the reason folded. */
export function withBuildFailure(page: string, message: string): string {
  const notice =
    `<style nonce="__CSP_NONCE__">${NOTICE_STYLE}</style><aside class="build-failure" aria-label="Build"><details>` +
    `<summary>The console could not be built; this is the previous build.</summary>` +
    `<p>Run <code>npm run build</code> on the service's machine to try again.</p>` +
    `<pre tabindex="0">${escapeHtml(message)}</pre></details></aside>`;
  return page.includes("</body>") ? page.replace("</body>", () => `${notice}</body>`) : page + notice;
}
