import { z } from "zod";
import { approvalPolicy } from "#domain/approvals/policy.ts";
import { getApprovals, saveApprovals } from "../../tools/workspace-approvals.ts";
import type { ResourceKind } from "../resource-kind.ts";
import type { Workspace } from "../../workspace.ts";
import { approvalReferences } from "./approval-references.ts";

const schema = z
  .strictObject({ approvals: approvalPolicy })
  .describe("The rules on approvals for all agents of the workspace.");

/** The workspace's rules on approvals: one document, which no workspace without rules has. */
export const approvals: ResourceKind = {
  resource: "approvals",
  folder: "",
  schema,
  fields: ["approvals"],
  defaults: {},
  referencesIn: () => approvalReferences("approvals"),
  usualIn: () => ({}),
  namesLater: () => false,
  fixed: [],
  secretsOf: () => [],
  async read(workspace) {
    const record = schema.parse(JSON.parse(await getApprovals(workspace)));
    return record.approvals.length === 0 ? [] : [{ id: workspace.who.workspaceId, record }];
  },
  fieldsOf: (record) => ({ approvals: record["approvals"] }),
  nameOf: () => "approvals",
  notesOf: () => [],
  openSecrets: () => Promise.resolve(new Map()),
  begin: () =>
    Promise.resolve(async (joined, { fields }) => {
      await saveApprovals(joined, schema.parse(fields).approvals);
      return { id: joined.who.workspaceId };
    }),
  remove: async (workspace: Workspace) => void (await saveApprovals(workspace, [])),
};
