import { z } from "zod";
import { FIRST_STEPS, listFirstSteps } from "#operations/access/first-steps.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const step = z
  .strictObject({
    id: z
      .enum(FIRST_STEPS)
      .describe(
        "An agent; a run; a model other than the demo model that can be called; a destination of results; a second member or an invitation.",
      ),
    done: z.boolean().describe("Whether the workspace has it."),
  })
  .meta({ id: "FirstStep" });

/** Adds /console/api/first-steps: what a newcomer makes first. */
export default function addFirstSteps(api: Api): void {
  addPath(api, "/console/api/first-steps", { tag: "Workspaces", endpoints: [list] });
}

const list = endpoint({
  method: "get",
  operationId: "listFirstSteps",
  summary: "List the first steps in a workspace, with those that are taken",
  success: { status: 200, schema: z.array(step) },
  handle: async ({ c, workspace }) => respondValue(c, await listFirstSteps(workspace)),
});
