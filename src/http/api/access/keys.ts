import { z } from "zod";
import { KEY_KINDS, KEY_SCOPES } from "#domain/access/api-key.ts";
import {
  createKey,
  keyInput,
  keyPatch,
  listKeys,
  renameKey,
  revokeKey,
  rotateKey,
  rotation,
} from "#operations/access/keys.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { pageQuery, readPage } from "../shape/page-query.ts";
import type { Endpoint } from "../shape/endpoint.ts";
import { respondRows, respondValue } from "../shape/respond.ts";
import { addPath, idQuery, readId } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { readBody } from "../../middleware/read-body.ts";

const PATH = "/console/api/keys";
const time = z.iso.datetime();

const keyFields = {
  id: z.uuid(),
  prefix: z.string(),
  label: z.string(),
  kind: z.enum(KEY_KINDS),
  scopes: z.array(z.enum(KEY_SCOPES)),
  last_used_at: time.nullable(),
  expires_at: time.nullable(),
  replaced_by: z.uuid().nullable(),
  created_by: z.uuid(),
  created_at: time,
};
const keyRecord = z.strictObject(keyFields).meta({ id: "Key" });
const shownKey = z.strictObject({ ...keyFields, key: z.string() }).meta({ id: "ShownKey" });

/** Adds /console/api/keys: the workspace's API keys. */
export default function addKeys(api: Api): void {
  addPath(api, PATH, { tag: "Keys", endpoints: collection() });
  addPath(api, `${PATH}/{id}`, { tag: "Keys", endpoints: single() });
  addPath(api, `${PATH}/{id}/rotate`, { tag: "Keys", endpoints: rotateEndpoint() });
}

function collection(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "listKeys",
      summary: "List the workspace's keys, newest first; the keys themselves are never shown",
      success: { status: 200, schema: z.array(keyRecord) },
      query: pageQuery,
      handle: async (c, services) => respondRows(c, await listKeys(services, c.get("principal"), readPage(c))),
    },
    {
      method: "post",
      operationId: "createKey",
      needs: "admin",
      summary: "Create a key; only this response contains it",
      body: keyInput,
      success: { status: 201, schema: shownKey },
      handle: async (c, services) =>
        respondValue(c, await createKey(services, c.get("principal"), await readBody(c, keyInput)), 201),
    },
  ];
}

function single(): Endpoint[] {
  return [
    {
      method: "patch",
      operationId: "updateKey",
      needs: "admin",
      summary: "Change a key's label",
      params: idQuery,
      body: keyPatch,
      success: { status: 200, schema: keyRecord },
      handle: rename,
    },
    {
      method: "delete",
      operationId: "revokeKey",
      needs: "admin",
      summary: "Revoke a key immediately",
      params: idQuery,
      success: { status: 204 },
      handle: revoke,
    },
  ];
}

function rotateEndpoint(): Endpoint[] {
  return [
    {
      method: "post",
      operationId: "rotateKey",
      needs: "admin",
      summary: "Replace a key; the old one stays valid until the overlap ends",
      params: idQuery,
      body: rotation,
      success: { status: 201, schema: shownKey },
      handle: rotate,
    },
  ];
}

async function rename(c: HttpContext, services: HttpServices): Promise<Response> {
  const id = readId(c);
  const patch = await readBody(
    c,
    keyPatch,
    Object.keys(keyFields).filter((field) => field !== "label"),
  );
  return respondValue(c, await renameKey(services, c.get("principal"), { id, patch }));
}

async function revoke(c: HttpContext, services: HttpServices): Promise<Response> {
  await revokeKey(services, c.get("principal"), readId(c));
  return c.body(null, 204);
}

async function rotate(c: HttpContext, services: HttpServices): Promise<Response> {
  const id = readId(c);
  const { overlap_seconds: overlapSeconds } = await readBody(c, rotation);
  return respondValue(c, await rotateKey(services, c.get("principal"), { id, overlapSeconds }), 201);
}
