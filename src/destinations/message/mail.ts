import { renderTemplate } from "#domain/agents/output-template.ts";
import type { Payload } from "#domain/destinations/payload.ts";
import type { OpenMessage } from "#domain/people/question-message.ts";
import { escapeHtml } from "#lib/text/escape-html.ts";
import { errorOf, facts, itemBody, itemTitle, oneLine } from "./describe.ts";

/** A mail about an ended task or team run, with the full result, or about a question. */
export interface Mail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/**
 * Builds a mail. `template` can contain {{title}}, {{status}} and {{agent}}; without one the default title is the
 * subject.
 */
export function writeMail(serviceName: string, payload: Payload, template: string | undefined): Mail {
  const title = itemTitle(serviceName, payload);
  return {
    subject: template === undefined ? title : subjectOf(template, payload),
    html: htmlOf(title, payload),
    text: itemBody(payload),
  };
}

/** Builds a mail that asks people, with the link to the answer page. */
export function writeQuestionMail(serviceName: string, question: OpenMessage): Mail {
  const { title, context, text, link, footer } = question;
  const html = [
    `<h2>${escapeHtml(title)}</h2>`,
    `<p>${escapeHtml(context)}</p>`,
    `<pre style="white-space:pre-wrap">${escapeHtml(text)}</pre>`,
    `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`,
    `<p>${escapeHtml(footer)}</p>`,
  ];
  return {
    subject: oneLine(`[${serviceName}] ${title}`),
    html: html.join("\n"),
    text: [title, context, text, `${link.label}: ${link.url}`, footer].filter(Boolean).join("\n\n"),
  };
}

function subjectOf(template: string, { task_title: title, status, agent_name: agent }: Payload): string {
  return oneLine(renderTemplate(template, { title, status, agent }));
}

function htmlOf(title: string, payload: Payload): string {
  const rows = facts(payload).map(
    ([label, value]) => `<tr><th align="left">${label}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const errors = errorOf(payload).map((error) => `<p><strong>Error:</strong> ${escapeHtml(error)}</p>`);
  return [
    `<h2>${escapeHtml(title)}</h2>`,
    `<table>${rows.join("")}</table>`,
    ...errors,
    `<pre style="white-space:pre-wrap">${escapeHtml(payload.result_full)}</pre>`,
  ].join("\n");
}
