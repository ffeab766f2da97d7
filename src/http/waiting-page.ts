import { escapeHtml } from "#lib/text/escape-html.ts";

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
  pre { margin: 16px 0; padding: 12px; border: 1px solid var(--line); border-radius: 6px; overflow: auto; max-height: 50vh;
    font: 12px/18px ui-monospace, monospace; white-space: pre-wrap }
  i { display: block; width: 100%; height: 2px; margin: 24px 0 0; background: var(--line); overflow: hidden }
  i::after { content: ""; display: block; width: 33%; height: 2px; background: var(--accent) }
  @media (prefers-reduced-motion: no-preference) {
    i::after { animation: pass 1.6s ease-in-out infinite alternate }
    @keyframes pass { from { transform: none } to { transform: translateX(200%) } }
  }
`;

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

interface Page {
  readonly title: string;
  readonly body: string;
  readonly nonce: string;
  readonly refresh: boolean;
}

function documentWith({ title, body, nonce, refresh }: Page): string {
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
