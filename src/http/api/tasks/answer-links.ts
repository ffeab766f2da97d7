import { z } from "zod";
import { linksQuery, listAnswerLinks, revokeAnswerLink } from "#operations/runs/revoke-answer-links.ts";
import { respondConsolePage } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/answer-links";
const time = z.iso.datetime();

const linkRecord = z
  .strictObject({
    id: z.uuid(),
    question_id: z.uuid(),
    run_id: z.uuid().describe("The task or team run that waits for the answer."),
    title: z.string().nullable().describe("The title of that task or run."),
    question: z.string().nullable().describe("The title of the question."),
    state: z
      .enum(["open", "answered", "expired", "revoked"])
      .describe(
        "open: it can be used; answered: the question was answered, by this link or otherwise; expired: also when " +
          "the run was cancelled.",
      ),
    created_by: z.strictObject({ id: z.uuid(), name: z.string() }).describe("Of a route's link, who made the route."),
    route: z
      .strictObject({ id: z.uuid(), name: z.string() })
      .nullable()
      .describe("The route of kind people that posted it; null for a link that a person made."),
    created_at: time,
    expires_at: time.nullable().describe("At the latest with the question; null when that has no deadline."),
    revoked_at: time.nullable(),
  })
  .meta({ id: "ListedAnswerLink" });

const linkPage = z
  .strictObject({ items: z.array(linkRecord), next_cursor: z.string().nullable() })
  .meta({ id: "AnswerLinkPage" });

/** Adds /console/api/answer-links: the links to questions, which can be revoked. */
export default function addAnswerLinks(api: Api): void {
  addPath(api, PATH, { tag: "Questions", endpoints: [list] });
  addPath(api, `${PATH}/{id}`, { tag: "Questions", endpoints: [revoke] });
}

const list = endpoint({
  method: "get",
  operationId: "listAnswerLinks",
  summary: "List the links to questions, newest first; their URLs are never shown again",
  query: linksQuery,
  success: { status: 200, schema: linkPage },
  async handle({ c, workspace, query }) {
    const { items, nextCursor } = await listAnswerLinks(workspace, query);
    return respondConsolePage(c, items, nextCursor);
  },
});

const revoke = endpoint({
  method: "delete",
  operationId: "revokeAnswerLink",
  summary: "Revoke a link to a question, immediately",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => revokeAnswerLink(workspace, params.id),
});
