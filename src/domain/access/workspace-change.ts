import { z } from "zod";
import { displayName } from "../display-name.ts";

/** The placeholders of a link template; each is replaced by a value of the run. */
const LINK_FIELDS = ["run_id", "attempt", "started_at", "ended_at"] as const;

type LinkField = (typeof LINK_FIELDS)[number];

const LISTED = LINK_FIELDS.map((field) => `{${field}}`).join(", ");

const linkTemplate = z
  .string()
  .trim()
  .max(2_000)
  .refine((text) => isWebAddress(text), { message: "must be a URL with http or https", abort: true })
  .refine((text) => unknownFields(text).length === 0, {
    error: ({ input }) => `has the unknown field {${unknownFields(String(input)).join("}, {")}}; allowed are ${LISTED}`,
  })
  .describe(`The template of a link on runs, such as https://logs.example/?q={run_id}. Fields: ${LISTED}.`);

/** The body of PATCH /console/api/workspace. */
export const workspaceChange = z
  .strictObject({
    name: displayName(100).trim().optional(),
    paused: z.boolean().optional().describe("true: queued and new runs do not start; started runs continue."),
    answer_links: z.boolean().optional().describe("Whether members may create links that answer one question."),
    run_links: z.boolean().optional().describe("Whether members may create links that show one run."),
    require_passkeys: z
      .boolean()
      .optional()
      .describe("Whether a password alone does not open it; true only from a session that a password did not open."),
    log_url: linkTemplate.nullable().optional(),
    trace_url: linkTemplate.nullable().optional(),
    retention_tasks_days: z
      .int()
      .min(1)
      .max(36_500)
      .nullable()
      .optional()
      .describe("Days that ended runs are kept with results and files, at most those of the instance; null: those."),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: "set name, paused, answer_links, run_links, require_passkeys, log_url, trace_url or retention_tasks_days",
  });

/** An admin's changes to a workspace; omitted fields are unchanged. */
export type WorkspaceChange = z.output<typeof workspaceChange>;

/** Fills a link template; its values are URL-encoded. */
export function fillLink(template: string, fields: Readonly<Record<LinkField, string>>): string {
  return LINK_FIELDS.reduce((url, field) => url.replaceAll(`{${field}}`, encodeURIComponent(fields[field])), template);
}

function isWebAddress(template: string): boolean {
  // The replacement for placeholders must be valid anywhere in a URL.
  const url = URL.parse(template.replaceAll(/\{\w*\}/g, "x"));
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
}

function unknownFields(template: string): readonly string[] {
  const known: readonly string[] = LINK_FIELDS;
  return Array.from(template.matchAll(/\{([^{}]*)\}/g), ([, field = ""]) => field).filter(
    (field) => !known.includes(field),
  );
}
