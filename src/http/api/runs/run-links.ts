import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { runLinkInput, runLinkRecord } from "#domain/runs/run-link.ts";
import { createRunLink, listRunLinks, revokeRunLink } from "#operations/runs/run-links.ts";
import { originOf } from "../../middleware/origin.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

const PATH = "/console/api/runs/{id}/links";

const madeLink = z
  .strictObject({
    id: z.uuid(),
    link: z.url().describe("Shown once. Anyone who opens it sees this attempt of the run."),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "RunLink" });

/** Adds /console/api/runs/{id}/links: links that show a run without an account. */
export default function addRunLinks(api: Api): void {
  addPath(api, PATH, { tag: "Runs", endpoints: [list, create] });
  addPath(api, `${PATH}/{link_id}`, { tag: "Runs", endpoints: [revoke] });
}

const list = endpoint({
  method: "get",
  operationId: "listRunLinks",
  summary: "List the links that show a run, open ones first; their URLs are never shown again",
  params: idQuery,
  success: { status: 200, schema: z.array(runLinkRecord) },
  handle: async ({ c, workspace, params }) => respondValue(c, await listRunLinks(workspace, params.id)),
});

const create = endpoint({
  method: "post",
  operationId: "createRunLink",
  summary: "Create a link that shows an attempt of a run without an account; the workspace must allow it",
  params: idQuery,
  body: runLinkInput,
  success: { status: 201, schema: madeLink },
  async handle({ c, workspace, params, body }) {
    const { token, ...made } = await createRunLink(workspace, params.id, body);
    return respondValue(c, { ...made, link: `${originOf(c, workspace)}/s#token=${token}` }, 201);
  },
});

const revoke = endpoint({
  method: "delete",
  operationId: "revokeRunLink",
  summary: "Revoke a link that shows a run, immediately",
  params: idQuery.extend({ link_id: givenId }),
  success: { status: 204 },
  handle: ({ workspace, params }) => revokeRunLink(workspace, { runId: params.id, id: params.link_id }),
});
