import { z } from "zod";
import type { Saved } from "#db/queries/agents/saved.ts";
import { listPage } from "#operations/list-records.ts";
import { createSaved, deleteSaved, getSaved, updateSaved } from "#operations/agents/saved.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respond, respondPage } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Tag } from "../shape/tags.ts";
import type { Endpoint } from "../shape/endpoint.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

/** A type of named records of a workspace, as {@link addSaved} serves it. */
export interface SavedResource {
  readonly of: Saved;
  readonly tag: Tag;
  /** Its path, such as `/console/api/voice-profiles`. */
  readonly path: string;
  /** Its name in operation names, such as `VoiceProfile`. */
  readonly name: string;
  /** Its name in texts, such as `voice profile`. */
  readonly noun: string;
  /** The effects of a change and of a deletion. */
  readonly effects: { readonly patch: string; readonly delete: string };
  readonly create: z.ZodObject;
  readonly patch: z.ZodObject;
  /** What its record shows besides its id, workspace, author and times. */
  readonly shows: z.ZodRawShape;
}

/** The effects for records that agents reference for their runs. */
export const SELECTED = {
  patch: "it applies to runs dispatched from then on",
  delete: "agents that selected it use their own again",
} as const;

/** A resource with the schema of its records. */
type Recorded = SavedResource & { readonly record: z.ZodObject };

/** Adds a saved resource: its list and its records. The view `<of>_records` renders them. */
export function addSaved(api: Api, saved: SavedResource): void {
  const resource = { ...saved, record: recordOf(saved) };
  addPath(api, resource.path, { tag: resource.tag, endpoints: collection(resource) });
  addPath(api, `${resource.path}/{id}`, { tag: resource.tag, endpoints: single(resource) });
}

function recordOf({ name, shows }: SavedResource): z.ZodObject {
  return z
    .strictObject({
      id: z.uuid(),
      workspace_id: z.uuid(),
      ...shows,
      created_by: z.uuid().nullable(),
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
    })
    .meta({ id: name });
}

function collection(resource: Recorded): Endpoint[] {
  const { of, name, noun, create, record } = resource;
  return [
    endpoint({
      method: "get",
      operationId: `list${name}s`,
      summary: `List ${noun}s, newest first`,
      query: pageQuery,
      success: { status: 200, schema: z.array(record) },
      handle: async ({ c, workspace, query }) => respondPage(c, await listPage(workspace, { of, ...pageOf(query) })),
    }),
    endpoint({
      method: "post",
      operationId: `create${name}`,
      summary: `Create ${withArticle(noun)}`,
      body: create,
      readOnly: readOnly(resource),
      success: { status: 201, schema: record },
      handle: async ({ c, workspace, body }) => respond(c, await createSaved(workspace, { of, fields: body }), 201),
    }),
  ];
}

function single(resource: Recorded): Endpoint[] {
  const { of, name, noun, effects, patch: changes, record } = resource;
  return [
    endpoint({
      method: "get",
      operationId: `get${name}`,
      summary: `Read ${withArticle(noun)}`,
      params: idQuery,
      success: { status: 200, schema: record },
      handle: async ({ c, workspace, params }) => respond(c, await getSaved(workspace, { of, id: params.id })),
    }),
    endpoint({
      method: "patch",
      operationId: `update${name}`,
      summary: `Change ${withArticle(noun)}; ${effects.patch}`,
      params: idQuery,
      body: changes,
      readOnly: readOnly(resource),
      success: { status: 200, schema: record },
      handle: async ({ c, workspace, params, body }) =>
        respond(c, await updateSaved(workspace, { of, id: params.id, patch: body })),
    }),
    endpoint({
      method: "delete",
      operationId: `delete${name}`,
      summary: `Delete ${withArticle(noun)}; ${effects.delete}`,
      params: idQuery,
      success: { status: 204 },
      handle: ({ workspace, params }) => deleteSaved(workspace, { of, ids: [params.id] }),
    }),
  ];
}

/** Fields that a client may send back from a record; they are ignored. */
function readOnly({ create, record }: Recorded): readonly string[] {
  return Object.keys(record.shape).filter((field) => !Object.hasOwn(create.shape, field));
}

function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
