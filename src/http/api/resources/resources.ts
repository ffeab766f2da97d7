import { z } from "zod";
import {
  RESOURCES,
  resourcesApply,
  resourcesDiff,
  resourcesPlan,
  resourcesRecord,
} from "#domain/resources/resource.ts";
import { diffResources, prepareApply } from "#operations/resources/apply.ts";
import { pullResources } from "#operations/resources/pull.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

const ROOT = "/console/api/workspace/resources";
/** The paths whose bodies are whole workspaces. */
export const DIFF_RESOURCES = `${ROOT}/diff`;
/** See {@link DIFF_RESOURCES}. */
export const APPLY_RESOURCES = `${ROOT}/apply`;

const pullQuery = z.strictObject({
  resources: z
    .array(z.enum(RESOURCES))
    .max(RESOURCES.length)
    .optional()
    .describe("Only these kinds, by default all but golden_set. The parameter may be repeated."),
});

/** Adds /console/api/workspace/resources: a workspace as documents. */
export default function addResources(api: Api): void {
  addPath(api, ROOT, { tag: "Workspaces", endpoints: [pull] });
  addPath(api, DIFF_RESOURCES, { tag: "Workspaces", endpoints: [diff] });
  addPath(api, APPLY_RESOURCES, { tag: "Workspaces", endpoints: [apply] });
}

const pull = endpoint({
  method: "get",
  operationId: "pullWorkspace",
  summary: "Describe the workspace by documents, without ids and secrets",
  query: pullQuery,
  success: { status: 200, schema: resourcesRecord },
  handle: async ({ c, workspace, query }) => respondValue(c, await pullResources(workspace, query.resources)),
});

const diff = endpoint({
  method: "post",
  operationId: "diffWorkspace",
  needs: "viewer",
  summary: "Compare documents with the workspace",
  body: resourcesDiff,
  success: { status: 200, schema: resourcesPlan },
  handle: async ({ c, workspace, body }) => respondValue(c, await diffResources(workspace, body)),
});

const apply = endpoint({
  method: "post",
  operationId: "applyWorkspace",
  needs: "admin",
  summary: "Change the workspace to what documents describe, all or nothing",
  body: resourcesApply,
  success: { status: 200, schema: resourcesPlan },
  async prepare({ c, workspace, body }) {
    const finish = await prepareApply(workspace, { wanted: body, signal: c.req.raw.signal });
    return async (joined) => respondValue(c, await finish(joined));
  },
});
