import { z } from "zod";
import { subjectTemplate, token } from "./config/fields.ts";
import { recipients, sender } from "./config/mail-addresses.ts";
import { defineDestination } from "./define-destination.ts";
import { writeMail } from "./message/mail.ts";

/** Sends a mail with Resend (https://resend.com/docs/api-reference/emails/send-email). */
export default defineDestination({
  type: "email",
  title: "E-mail (Resend)",
  description: "Sends an e-mail by the managed service Resend.",
  guide: {
    setup: "Verify the sender's domain at [Resend](https://resend.com/domains) and create an API key that may send.",
    example: {
      api_key: "re_0123456789",
      from_email: "Muster <muster@example.com>",
      to_emails: "ada@example.com, grace@example.com",
      subject_template: "{{agent}}: {{title}} is {{status}}",
    },
  },
  vendor: { setting: "RESEND_API_BASE", base: "https://api.resend.com" },
  config: z.strictObject({
    api_key: token("API Key"),
    from_email: sender("From Email"),
    to_emails: recipients("To Email(s)"),
    subject_template: subjectTemplate(),
  }),
  async deliver(context, { api_key: key, from_email: from, to_emails: to, subject_template: template }, payload) {
    await context.callApi("/emails", {
      headers: { authorization: `Bearer ${key}`, "idempotency-key": context.deliveryId },
      json: { from, to, ...writeMail(context.serviceName, payload, template) },
    });
  },
});
