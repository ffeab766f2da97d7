import { z } from "zod";
import { ROLES } from "#domain/access/role.ts";
import { workspaceChange } from "#domain/access/workspace-change.ts";
import {
  changeWorkspace,
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  workspaceInput,
} from "#operations/accounts/workspaces.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const READ_ONLY = [
  "id",
  "slug",
  "plan",
  "role",
  "quotas",
  "is_first",
  "held_at",
  "copy_held",
  "created_at",
  "updated_at",
];

const confirmation = z.strictObject({ confirm: z.string().describe("The workspace's name, as a confirmation.") });

const workspaceRecord = z
  .strictObject({
    id: z.uuid(),
    slug: z.string().describe("Its name in the console's URLs, derived from the name. Former slugs remain valid."),
    name: z.string(),
    plan: z.enum(["free", "pro", "team", "enterprise"]),
    role: z.enum(ROLES),
    paused: z.boolean().describe("No queued run starts; started runs continue."),
    answer_links: z.boolean().describe("Whether members may create links that answer one question."),
    run_links: z.boolean().describe("Whether members may create links that show one run."),
    require_passkeys: z.boolean().describe("Whether a password alone does not open it."),
    log_url: z.string().nullable().describe("The template of the log link on runs."),
    trace_url: z.string().nullable(),
    retention_tasks_days: z
      .int()
      .nullable()
      .describe("Days that ended runs are kept; null: as long as the instance keeps them."),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Workspace" });

const quota = z.strictObject({
  used: z.int(),
  limit: z.int().nullable().describe("The plan's limit; null: none."),
});
const workspaceDetails = workspaceRecord
  .extend({
    quotas: z.strictObject({
      records: quota.describe("Agents with their versions, teams, tasks, runs, files and other records, together."),
      stored_bytes: quota.describe("Contents of files and documents."),
      schedules: quota,
      alerts: quota,
    }),
    is_first: z.boolean().describe("Whether it is the instance's first workspace, whose owners operate the instance."),
    held_at: z.iso.datetime().nullable().describe("Since when the operator holds it: nothing is stored or run in it."),
    copy_held: z
      .boolean()
      .describe("Whether the instance is a restored copy that was not released: it serves reads only."),
  })
  .meta({ id: "WorkspaceDetails" });

/** Adds /console/api/workspace, the current one, and /console/api/workspaces, all of a person's. */
export default function addWorkspaces(api: Api): void {
  addPath(api, "/console/api/workspace", { tag: "Workspaces", endpoints: [read, change, remove] });
  addPath(api, "/console/api/workspaces", { tag: "Workspaces", endpoints: [list, create] });
}

const read = endpoint({
  method: "get",
  operationId: "getWorkspace",
  summary: "Read the workspace with its quotas and their use",
  success: { status: 200, schema: workspaceDetails },
  handle: async ({ c, workspace }) => respondValue(c, await getWorkspace(workspace)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateWorkspace",
  needs: "admin",
  summary: "Rename the workspace, pause new work, or set links and retention of runs",
  body: workspaceChange,
  readOnly: READ_ONLY,
  success: { status: 200, schema: workspaceDetails },
  handle: async ({ c, workspace, body }) => respondValue(c, await changeWorkspace(workspace, body)),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteWorkspace",
  needs: "owner",
  summary: "Delete the workspace with everything in it; its work is cancelled",
  query: confirmation,
  success: { status: 204 },
  handle: ({ workspace, query }) => deleteWorkspace(workspace, query.confirm),
});

const list = endpoint({
  method: "get",
  operationId: "listWorkspaces",
  summary: "List your workspaces; with a key, the key's",
  success: { status: 200, schema: z.array(workspaceRecord) },
  handle: async ({ c, workspace }) => respondValue(c, await listWorkspaces(workspace)),
});

const create = endpoint({
  method: "post",
  operationId: "createWorkspace",
  needs: "viewer",
  summary: "Create a workspace; you become its owner",
  body: workspaceInput,
  success: { status: 201, schema: workspaceRecord },
  async handle({ c, workspace, body }) {
    const { name } = body;
    const made = await createWorkspace(workspace, { name, plan: workspace.defaultPlan });
    return respondValue(c, made, 201);
  },
});
