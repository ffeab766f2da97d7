import { z } from "zod";
import { escapeHtml } from "#lib/text/escape-html.ts";
import { oneLine } from "../message/describe.ts";
import { secret } from "../config/fields.ts";
import { defineDestination } from "../define-destination.ts";
import { sendMail } from "./send-mail.ts";
import type { MailServer } from "./send-mail.ts";

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
  config: z.strictObject({ link: secret("Link") }),
  async deliver(context, { link }, { server, from, to, subject, before, action, after }: PersonalMail) {
    const text = [...before, link, ...after].join("\n\n");
    const html = [
      ...before.map(paragraph),
      `<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>`,
      ...after.map(paragraph),
    ].join("\n");
    await sendMail(context, server, { from, to: [to], subject: oneLine(subject), text, html });
  },
});

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}
