import { z } from "zod";
import { escapeHtml } from "#lib/text/escape-html.ts";
import { oneLine } from "../message/describe.ts";
import { secret } from "../config/fields.ts";
import { defineDestination } from "../define-destination.ts";
import { sendMail } from "./send-mail.ts";
import type { MailServer } from "./send-mail.ts";

const STOP = "Stop these mails";

/** A mail to one person, with one link. */
export interface PersonalMail {
  readonly server: MailServer;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** Sentences before the link. */
  readonly before: readonly string[];
  /** What the link does, as a label. */
  readonly action: string;
  /** Sentences after it. */
  readonly after: readonly string[];
}

/** A mail to a person's own address. It is not in the registry: no output route has this type. */
export const personalMail = defineDestination({
  type: "mail",
  title: "Mail",
  description: "Sends a person a link.",
  // A secret: attempts are logged without it.
  config: z.strictObject({
    link: secret("Link"),
    stop: secret("Unsubscribe link").optional().meta({ writeOnly: true }),
  }),
  async deliver(context, { link, stop }, { server, from, to, subject, before, action, after }: PersonalMail) {
    const last = stop === undefined ? [] : [`${STOP}: ${stop}`];
    const text = [...before, link, ...after, ...last].join("\n\n");
    const html = [
      ...before.map(paragraph),
      `<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>`,
      ...after.map(paragraph),
      ...(stop === undefined ? [] : [`<p><a href="${escapeHtml(stop)}">${STOP}</a></p>`]),
    ].join("\n");
    const headers = stop === undefined ? {} : unsubscribeHeaders(stop);
    await sendMail(context, server, { from, to: [to], subject: oneLine(subject), text, html, headers });
  },
});

/** By which mail programs offer to end such mails by one click (RFC 8058). */
function unsubscribeHeaders(url: string) {
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

function paragraph(text: string): string {
  return `<p style="white-space:pre-wrap">${escapeHtml(text)}</p>`;
}
