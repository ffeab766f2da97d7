import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import {
  DEFAULT_RESOURCES,
  MAX_RESOURCES_BYTES,
  RESOURCES_FORMAT,
  RESOURCES_VERSION,
} from "#domain/resources/resource.ts";
import type { ResourceName, ResourcesRecord } from "#domain/resources/resource.ts";
import { isRecord } from "#lib/is-record.ts";
import type { Workspace } from "../workspace.ts";
import { kindOf } from "./kinds.ts";
import { mapTexts } from "./references.ts";
import { STORED_SECRET, pick } from "./resource-kind.ts";
import type { Fields, ResourceKind } from "./resource-kind.ts";
import { readState, rejectNamesakes } from "./state.ts";
import type { Known } from "./state.ts";

/** The longest name of a file, without its number and ending. */
const MAX_SLUG = 80;

/**
 * Describes a workspace by documents: names in place of ids, variables in place of secrets, and no field with its
 * default.
 * @throws AppError `conflict` when records of a kind share a name, or the description is too large
 */
export async function pullResources(
  workspace: Workspace,
  resources: readonly ResourceName[] = DEFAULT_RESOURCES,
): Promise<ResourcesRecord> {
  const state = await workspace.transaction(() => readState(workspace, resources));
  rejectNamesakes(state, resources);
  const paths = new Set<string>();
  const variables = new Set<string>();
  const documents = state.known
    .filter(({ kind }) => resources.includes(kind.resource))
    .map((known) => ({
      path: freshName(pathOf(known), paths, "-", ".yaml"),
      document: documentOf(workspace, known, { names: state.names.withNames(known.kind, known.fields), variables }),
    }));
  if (JSON.stringify(documents).length > MAX_RESOURCES_BYTES) {
    throw new AppError("conflict", "The workspace is too large for files. Pull some of its resources.");
  }
  const schemas = Object.fromEntries(resources.map((resource) => [resource, schemaOf(kindOf(resource))]));
  return { format: RESOURCES_FORMAT, version: RESOURCES_VERSION, resources: [...resources], documents, schemas };
}

function documentOf(
  workspace: Workspace,
  { kind, name }: Known,
  { names: fields, variables }: { readonly names: Fields; readonly variables: Set<string> },
) {
  const places = kind.secretsOf(workspace, fields).map((at) => ({ at }));
  const open = mapTexts(fields, places, (text, path) => {
    if (text !== STORED_SECRET) return text;
    const field = path.slice(path.indexOf(".") + 1);
    return `\${${freshName(upperSlug(`${kind.resource} ${name} ${field}`), variables, "_")}}`;
  });
  const given = { ...fields, ...(typeof open === "object" && open) };
  const defaults = { ...kind.defaults, ...kind.usualIn(given, workspace) };
  const said = kind.fields.flatMap((field) => {
    const value = given[field];
    const usual = defaults[field];
    const isUsual = value === undefined || isDeepStrictEqual(value, usual) || (value === null && usual === undefined);
    return isUsual ? [] : [[field, value] as const];
  });
  return { resource: kind.resource, ...Object.fromEntries(said) };
}

/** Returns the JSON Schema of a kind's documents, for editors. */
function schemaOf(kind: ResourceKind): Fields {
  const schema = z.toJSONSchema(kind.schema, {
    io: "input",
    unrepresentable: "any",
    override({ jsonSchema }) {
      // Names stand where the API has ids.
      if (jsonSchema.format !== "uuid" && jsonSchema.format !== "guid") return;
      delete jsonSchema.format;
      delete jsonSchema.pattern;
    },
  });
  return ofDocuments(kind, schema);
}

function ofDocuments(kind: ResourceKind, schema: Fields): Fields {
  const { properties, required, oneOf, anyOf, ...rest } = schema;
  const choices = oneOf ?? anyOf;
  if (Array.isArray(choices)) {
    return { ...rest, anyOf: choices.map((choice) => (isRecord(choice) ? ofDocuments(kind, choice) : choice)) };
  }
  return {
    ...rest,
    properties: { resource: { const: kind.resource }, ...(isRecord(properties) && pick(properties, kind.fields)) },
    required: ["resource", ...(Array.isArray(required) ? required : [])],
  };
}

function pathOf({ kind, name }: Known): string {
  return kind.folder === "" ? kind.resource : `${kind.folder}/${slug(name)}`;
}

/** Returns a name that no other has, with a number if need be. */
function freshName(stem: string, taken: Set<string>, joint: string, ending = ""): string {
  let fresh = stem + ending;
  for (let count = 2; taken.has(fresh); count++) fresh = `${stem}${joint}${count}${ending}`;
  taken.add(fresh);
  return fresh;
}

function slug(name: string): string {
  const words =
    name
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join("-").slice(0, MAX_SLUG).toWellFormed() || "unnamed";
}

function upperSlug(text: string): string {
  const words =
    text
      .normalize("NFKD")
      .toUpperCase()
      .match(/[A-Z0-9]+/g) ?? [];
  return words.join("_");
}
