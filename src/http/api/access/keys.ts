import { z } from "zod";
import { EXPIRY_WARNINGS, KEY_KINDS, KEY_SCOPES, SURFACES } from "#domain/access/api-key.ts";
import {
  changeKey,
  createKey,
  keyInput,
  keyPatch,
  listKeys,
  revokeKey,
  rotateKey,
  rotation,
} from "#operations/access/keys.ts";
import { textFilter } from "../shape/list-query.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respondRows, respondValue, respondWarning } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";
import { networkWarnings } from "./network-warnings.ts";

const PATH = "/console/api/keys";
const time = z.iso.datetime();

const keyFields = {
  id: z.uuid(),
  prefix: z.string(),
  label: z.string(),
  kind: z.enum(KEY_KINDS),
  scopes: z.array(z.enum(KEY_SCOPES)),
  surfaces: z.array(z.enum(SURFACES)).nullable(),
  agents: z.array(z.uuid()).nullable(),
  teams: z.array(z.uuid()).nullable(),
  networks: z.array(z.string()).nullable(),
  last_used_at: time.nullable(),
  expires_at: time.nullable(),
  expiry_warning: z
    .enum(EXPIRY_WARNINGS)
    .nullable()
    .describe("How near its end is; null when it is not, and for a key that another replaces."),
  replaced_by: z.uuid().nullable(),
  created_by: z.uuid().describe("The person or the service account whose rights it has."),
  service_account_id: z.uuid().nullable().describe("The service account that it belongs to; null for a person's."),
  created_at: time,
};
const keyRecord = z.strictObject(keyFields).meta({ id: "Key" });
const shownKey = z.strictObject({ ...keyFields, key: z.string() }).meta({ id: "ShownKey" });

/** Adds /console/api/keys: the workspace's API keys. */
export default function addKeys(api: Api): void {
  addPath(api, PATH, { tag: "Keys", endpoints: [list, create] });
  addPath(api, `${PATH}/{id}`, { tag: "Keys", endpoints: [change, revoke] });
  addPath(api, `${PATH}/{id}/rotate`, { tag: "Keys", endpoints: [rotate] });
}

const list = endpoint({
  method: "get",
  operationId: "listKeys",
  summary: "List the workspace's keys, newest first; the keys themselves are never shown",
  success: { status: 200, schema: z.array(keyRecord) },
  query: pageQuery.extend({
    q: textFilter("A part of the label, ignoring case, or the start of the key or its id."),
    expiring: z.stringbool().optional().describe("true: those that expire within 14 days and have no replacement."),
  }),
  handle: async ({ c, workspace, query: { q, expiring, ...page } }) =>
    respondRows(c, await listKeys(workspace, { q, expiring, ...pageOf(page) })),
});

const create = endpoint({
  method: "post",
  operationId: "createKey",
  needs: "admin",
  summary: "Create a key; only this response contains it",
  body: keyInput,
  success: { status: 201, schema: shownKey },
  async handle({ c, workspace, body }) {
    const warnings = networkWarnings(c, workspace, body.networks);
    return respondWarning(c, await createKey(workspace, body), { status: 201, warnings });
  },
});

const change = endpoint({
  method: "patch",
  operationId: "updateKey",
  needs: "admin",
  summary: "Change a key's label, and the surfaces, agents, teams and networks to which it is limited",
  params: idQuery,
  body: keyPatch,
  readOnly: Object.keys(keyFields).filter((field) => !(field in keyPatch.shape)),
  success: { status: 200, schema: keyRecord },
  async handle({ c, workspace, params, body }) {
    const record = await changeKey(workspace, { id: params.id, patch: body });
    const warnings = networkWarnings(c, workspace, body.networks);
    return respondWarning(c, record, { status: 200, warnings });
  },
});

const revoke = endpoint({
  method: "delete",
  operationId: "revokeKey",
  needs: "admin",
  summary: "Revoke a key immediately",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => revokeKey(workspace, params.id),
});

const rotate = endpoint({
  method: "post",
  operationId: "rotateKey",
  needs: "admin",
  summary: "Replace a key; the old one stays valid until the overlap ends",
  params: idQuery,
  body: rotation,
  success: { status: 201, schema: shownKey },
  async handle({ c, workspace, params, body }) {
    const { overlap_seconds: overlapSeconds } = body;
    return respondValue(c, await rotateKey(workspace, { id: params.id, overlapSeconds }), 201);
  },
});
