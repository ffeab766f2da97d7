import { z } from "zod";
import { subjectTemplate } from "./config/fields.ts";
import { recipients } from "./config/mail-addresses.ts";
import { defineDestination } from "./define-destination.ts";
import { writeMail } from "./message/mail.ts";

/** Sends a mail as the connected user (https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/send). */
export default defineDestination({
  type: "google_gmail",
  title: "Gmail",
  description: "Sends an HTML e-mail as the connected user.",
  guide: {
    setup: "The mail is sent from the connected account's own address.",
    example: { to_emails: "ada@example.com", subject_template: "{{title}}" },
  },
  account: "google",
  vendor: { setting: "GOOGLE_API_BASE", base: "https://gmail.googleapis.com" },
  config: z.strictObject({ to_emails: recipients("To Email(s)"), subject_template: subjectTemplate() }),
  async deliver(context, { to_emails: to, subject_template: template }, payload) {
    const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
    const { subject, html } = writeMail(context.serviceName, payload, template);
    const message = await new MailComposer({ to, subject, html }).compile().build();
    await context.callApi("/gmail/v1/users/me/messages/send", {
      headers: { authorization: `Bearer ${await context.googleAccessToken()}` },
      json: { raw: message.toString("base64url") },
    });
  },
});
