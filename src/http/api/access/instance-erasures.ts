import { z } from "zod";
import { erasureRecord } from "#domain/access/erasure.ts";
import { givenId } from "#domain/given-id.ts";
import { eraseInstancePerson, listInstanceErasures } from "#operations/accounts/instance-erasures.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

const PATH = "/console/api/instance";

const person = z.strictObject({
  email: z.string().min(3).max(254).describe("The e-mail address."),
  confirm: z.string().max(254).describe("The address again, as a confirmation."),
  workspace_id: givenId
    .optional()
    .describe("One of the person's workspaces, for an address that several accounts have and none has proved."),
});

/** Adds the receipts of erasures, and the erasure of a person, for owners of the first workspace. */
export default function addInstanceErasures(api: Api): void {
  addPath(api, `${PATH}/erasures`, { tag: "Workspaces", endpoints: [list] });
  addPath(api, `${PATH}/people`, { tag: "Workspaces", endpoints: [erase] });
}

const list = endpoint({
  method: "get",
  operationId: "listErasures",
  needs: "owner",
  summary: "List the last 200 receipts of erasures, newest first, as an owner of the instance's first workspace",
  success: { status: 200, schema: z.array(erasureRecord) },
  handle: async ({ c, workspace }) => respondValue(c, await listInstanceErasures(workspace)),
});

const erase = endpoint({
  method: "delete",
  operationId: "erasePerson",
  needs: "owner",
  summary: "Erase a person from the whole instance, as an owner of its first workspace; returns the receipt",
  query: person,
  success: { status: 200, schema: erasureRecord },
  handle: async ({ c, workspace, query }) => respondValue(c, await eraseInstancePerson(workspace, query)),
});
