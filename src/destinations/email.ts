import { z } from "zod";
import { subjectTemplate, token } from "./config/fields.ts";
import { recipients, sender } from "./config/mail-addresses.ts";
import { defineDestination } from "./define-destination.ts";
import type { DeliveryContext } from "./define-destination.ts";
import { writeMail, writeQuestionMail } from "./message/mail.ts";
import type { Mail } from "./message/mail.ts";

const fields = z.strictObject({
  api_key: token("API Key"),
  from_email: sender("From Email"),
  to_emails: recipients("To Email(s)"),
  subject_template: subjectTemplate(),
});

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
  config: fields,
  people: {
    setup: "Nothing more: a mail has the link to the answer page. Whoever has the mail may answer.",
    async ask(context, given, message) {
      await send(context, given, writeQuestionMail(context.serviceName, message));
      return null;
    },
  },
  deliver: (context, given, payload) =>
    send(context, given, writeMail(context.serviceName, payload, given.subject_template)),
});

async function send(context: DeliveryContext, config: z.output<typeof fields>, mail: Mail): Promise<void> {
  const { api_key: key, from_email: from, to_emails: to } = config;
  await context.callApi("/emails", {
    headers: { authorization: `Bearer ${key}`, "idempotency-key": context.deliveryId },
    json: { from, to, ...mail },
  });
}
