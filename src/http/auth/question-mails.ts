import { escapeHtml } from "#lib/text/escape-html.ts";
import { STOP_PATH, stopQuestionMails } from "#operations/accounts/question-mails.ts";
import type { Api } from "../api/shape/route.ts";
import { documentWith, respondPage } from "../own-page.ts";

/**
 * Adds /auth/unsubscribe, the target of the link in mails about questions. The page has a button, since what only looks
 * at links must end nothing; mail programs post to the link by themselves (RFC 8058).
 */
export default function addQuestionMails({ app, services }: Api): void {
  app.get(STOP_PATH, (c) => respondPage((nonce) => askPage(c.req.query("token") ?? "", nonce), 200));
  app.post(STOP_PATH, async (c) => {
    await stopQuestionMails(services, c.req.query("token") ?? "");
    return respondPage(donePage, 200);
  });
}

function askPage(token: string, nonce: string): string {
  const title = "Stop mails about questions";
  const body = `<h1>${title}</h1><p>Questions stay in the console. Your profile turns the mails on again.</p>
    <form method="post" action="${STOP_PATH}?token=${escapeHtml(encodeURIComponent(token))}">
    <p><button>Stop these mails</button></p></form>`;
  return documentWith({ title, body, nonce, refresh: false });
}

function donePage(nonce: string): string {
  const title = "The mails are stopped";
  const body = `<h1>${title}</h1><p>You get no more mails about questions. Your profile turns them on again.</p>`;
  return documentWith({ title, body, nonce, refresh: false });
}
