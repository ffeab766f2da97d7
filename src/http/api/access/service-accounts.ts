import { z } from "zod";
import { ROLES } from "#domain/access/role.ts";
import {
  changeServiceAccount,
  createServiceAccount,
  listServiceAccounts,
  removeServiceAccount,
  serviceAccountInput,
  serviceAccountPatch,
} from "#operations/accounts/service-accounts.ts";
import { textFilter } from "../shape/list-query.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respondRows, respondWarning } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";
import { networkWarnings } from "./network-warnings.ts";

const PATH = "/console/api/service-accounts";

const accountRecord = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    role: z.enum(ROLES),
    client: z
      .string()
      .nullable()
      .describe("The client id of a program of the OpenID provider; null for an account that an admin has created."),
    networks: z.array(z.string()).nullable().describe("Those from which its keys may be used; null for everywhere."),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "ServiceAccount" });

/** Adds /console/api/service-accounts: the accounts of programs. */
export default function addServiceAccounts(api: Api): void {
  addPath(api, PATH, { tag: "Members", endpoints: [list, create] });
  addPath(api, `${PATH}/{id}`, { tag: "Members", endpoints: [change, remove] });
}

const list = endpoint({
  method: "get",
  operationId: "listServiceAccounts",
  summary: "List the workspace's service accounts, the earliest first",
  success: { status: 200, schema: z.array(accountRecord) },
  query: pageQuery.extend({ q: textFilter("A part of the name, ignoring case, or the start of the id.") }),
  handle: async ({ c, workspace, query: { q, ...page } }) =>
    respondRows(c, await listServiceAccounts(workspace, { q, ...pageOf(page) })),
});

const create = endpoint({
  method: "post",
  operationId: "createServiceAccount",
  needs: "admin",
  summary: "Create a service account: keys that belong to it survive every person",
  body: serviceAccountInput,
  success: { status: 201, schema: accountRecord },
  async handle({ c, workspace, body }) {
    const record = await createServiceAccount(workspace, body);
    const warnings = networkWarnings(c, workspace, body.networks);
    return respondWarning(c, record, { status: 201, warnings });
  },
});

const change = endpoint({
  method: "patch",
  operationId: "updateServiceAccount",
  needs: "admin",
  summary: "Change a service account's name, role or networks, also for its keys",
  params: idQuery,
  body: serviceAccountPatch,
  readOnly: ["id", "client", "created_at"],
  success: { status: 200, schema: accountRecord },
  async handle({ c, workspace, params, body }) {
    const record = await changeServiceAccount(workspace, { id: params.id, patch: body });
    const warnings = networkWarnings(c, workspace, body.networks);
    return respondWarning(c, record, { status: 200, warnings });
  },
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteServiceAccount",
  needs: "admin",
  summary: "Remove a service account; its keys are revoked immediately",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => removeServiceAccount(workspace, params.id),
});
