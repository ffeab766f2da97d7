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
  readonly record: z.ZodObject;
}

/** The effects for records that agents reference for their runs. */
export const SELECTED = {
  patch: "it applies to runs dispatched from then on",
  delete: "agents that selected it use their own again",
} as const;

/** Adds a saved resource: its list and its records. */
export function addSaved(api: Api, resource: SavedResource): void {
  addPath(api, resource.path, { tag: resource.tag, endpoints: collection(resource) });
  addPath(api, `${resource.path}/{id}`, { tag: resource.tag, endpoints: single(resource) });
}

function collection(resource: SavedResource): Endpoint[] {
  const { of, name, noun, create, record } = resource;
  return [
    endpoint({
      method: "get",
      operationId: `list${name}s`,
      summary: `List ${noun}s, newest first`,
      query: pageQuery,
      success: { status: 200, schema: z.array(record) },
      handle: async ({ c, services, who, query }) =>
        respondPage(c, await listPage(services, who, { of, ...pageOf(query) })),
    }),
    endpoint({
      method: "post",
      operationId: `create${name}`,
      summary: `Create ${withArticle(noun)}`,
      body: create,
      readOnly: readOnly(resource),
      success: { status: 201, schema: record },
      handle: async ({ c, services, who, body }) =>
        respond(c, await createSaved(services, who, { of, fields: body }), 201),
    }),
  ];
}

function single(resource: SavedResource): Endpoint[] {
  const { of, name, noun, effects, patch: changes, record } = resource;
  return [
    endpoint({
      method: "get",
      operationId: `get${name}`,
      summary: `Read ${withArticle(noun)}`,
      params: idQuery,
      success: { status: 200, schema: record },
      handle: async ({ c, services, who, params }) => respond(c, await getSaved(services, who, { of, id: params.id })),
    }),
    endpoint({
      method: "patch",
      operationId: `update${name}`,
      summary: `Change ${withArticle(noun)}; ${effects.patch}`,
      params: idQuery,
      body: changes,
      readOnly: readOnly(resource),
      success: { status: 200, schema: record },
      handle: async ({ c, services, who, params, body }) =>
        respond(c, await updateSaved(services, who, { of, id: params.id, patch: body })),
    }),
    endpoint({
      method: "delete",
      operationId: `delete${name}`,
      summary: `Delete ${withArticle(noun)}; ${effects.delete}`,
      params: idQuery,
      success: { status: 204 },
      handle: ({ services, who, params }) => deleteSaved(services, who, { of, ids: [params.id] }),
    }),
  ];
}

/** Fields that a client may send back from a record; they are ignored. */
function readOnly({ create, record }: SavedResource): readonly string[] {
  return Object.keys(record.shape).filter((field) => !Object.hasOwn(create.shape, field));
}

function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
