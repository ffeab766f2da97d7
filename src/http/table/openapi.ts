import { z } from "zod";
import { TableError } from "./errors.ts";
import type { TableFunctions } from "./rpc.ts";
import { FOREIGN_KEYS } from "./foreign-keys.ts";
import { TABLES } from "./tables.ts";
import type { Column, ColumnType, Table } from "./tables.ts";
import { WRITERS } from "./writes/index.ts";

/** The media type of the document, as in PostgREST. */
export const OPENAPI_TYPE = "application/openapi+json; charset=utf-8";

const ACCEPTED: ReadonlySet<string> = new Set([
  "application/openapi+json",
  "application/json",
  "application/*",
  "*/*",
  "",
]);
const ROW_TYPES = ["application/json", "application/vnd.pgrst.object+json", "text/csv"];
const PREFERENCES = {
  preferReturn: ["return=representation", "return=minimal", "return=headers-only"],
  preferPost: [
    "return=representation",
    "return=minimal",
    "return=headers-only",
    "resolution=ignore-duplicates",
    "resolution=merge-duplicates",
  ],
  preferCount: ["count=exact", "count=planned", "count=estimated"],
} as const;
const QUERY_PARAMETERS = {
  select: "Columns and embedded tables",
  order: "Order of the rows",
  offset: "Number of rows to skip",
  limit: "Maximum number of rows",
  columns: "Fields of the body to use",
  on_conflict: "Column that identifies rows",
} as const;

/** The types of columns in JSON Schema. */
const JSON_TYPES: Readonly<Record<ColumnType, object>> = {
  uuid: { type: "string", format: "uuid" },
  text: { type: "string", format: "text" },
  integer: { type: "integer", format: "integer" },
  "double precision": { type: "number", format: "double precision" },
  numeric: { type: "number", format: "numeric" },
  boolean: { type: "boolean", format: "boolean" },
  timestamptz: { type: "string", format: "timestamp with time zone" },
  jsonb: { format: "jsonb" },
  "text[]": { type: "array", items: { type: "string" }, format: "text[]" },
  "integer[]": { type: "array", items: { type: "integer" }, format: "integer[]" },
  "uuid[]": { type: "array", items: { type: "string" }, format: "uuid[]" },
};

/** Checks that a client accepts the document's type. @throws TableError PGRST107. */
export function checkAcceptsDocument(accept: string | undefined): void {
  const offers = (accept ?? "*/*").split(",").map((each) => each.split(";")[0]?.trim().toLowerCase() ?? "");
  if (offers.some((offer) => ACCEPTED.has(offer))) return;
  throw new TableError(406, "PGRST107", { message: `None of these media types are available: ${offers.join(", ")}` });
}

/**
 * Returns the description of the table API at `GET /`: OpenAPI 2.0 in PostgREST's structure, from which clients read
 * the names of tables and columns. @param url the service's public URL, if set
 */
export function tableDocument(functions: TableFunctions, url: string | undefined): object {
  const tables = [...TABLES.values()];
  const { host, protocol } = url === undefined ? {} : new URL(url);
  return {
    swagger: "2.0",
    info: { title: "Muster table API", description: "The workspace's data as tables.", version: "1" },
    ...(host !== undefined && { host, schemes: [protocol?.replace(":", "")] }),
    basePath: "/rest/v1",
    consumes: ["application/json", "text/csv"],
    produces: ROW_TYPES,
    paths: {
      "/": { get: rootOperation() },
      ...Object.fromEntries(tables.map((table) => [`/${table.name}`, tablePath(table)])),
      ...Object.fromEntries(
        Object.entries(functions).map(([name, { schema }]) => [`/rpc/${name}`, { post: callOperation(name, schema) }]),
      ),
    },
    definitions: Object.fromEntries(tables.map((table) => [table.name, definition(table)])),
    parameters: parameters(tables),
    securityDefinitions: {
      apikey: { type: "apiKey", in: "header", name: "apikey" },
      bearer: { type: "apiKey", in: "header", name: "Authorization", description: "Bearer <table key>" },
    },
    security: [{ apikey: [], bearer: [] }],
  };
}

function rootOperation() {
  return {
    tags: ["Introspection"],
    summary: "OpenAPI description (this document)",
    produces: ["application/openapi+json", "application/json"],
    responses: { 200: { description: "OK" } },
  };
}

function tablePath(table: Table) {
  const { insert, update, remove } = WRITERS.get(table.name) ?? {};
  const tags = [table.name];
  const filters = [...table.columns.keys()].map((column) => reference(`rowFilter.${table.name}.${column}`));
  const body = reference(`body.${table.name}`);
  const done = { 204: { description: "No Content" } };
  return {
    get: {
      tags,
      parameters: [...filters, ...["select", "order", "offset", "limit", "preferCount"].map(reference)],
      responses: {
        200: { description: "OK", schema: { type: "array", items: { $ref: `#/definitions/${table.name}` } } },
        206: { description: "Partial Content" },
      },
    },
    ...(insert && {
      post: {
        tags,
        parameters: [body, ...["select", "columns", "on_conflict", "preferPost"].map(reference)],
        responses: { 201: { description: "Created" } },
      },
    }),
    ...(update && { patch: { tags, parameters: [...filters, body, reference("preferReturn")], responses: done } }),
    ...(remove && { delete: { tags, parameters: [...filters, reference("preferReturn")], responses: done } }),
  };
}

function callOperation(name: string, schema: z.ZodObject) {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return {
    tags: [`(rpc) ${name}`],
    produces: ["application/json"],
    parameters: [{ name: "args", in: "body", required: true, schema: body }],
    responses: { 200: { description: "OK" } },
  };
}

function definition(table: Table) {
  const columns = [...table.columns.values()];
  return {
    type: "object",
    required: ["id", "workspace_id"],
    properties: Object.fromEntries(columns.map((column) => [column.name, property(table, column)])),
  };
}

function property(table: Table, { name, type, write }: Column) {
  const key = FOREIGN_KEYS.find((each) => each.table === table.name && each.column === name);
  const notes = [
    ...(name === "id" ? ["This is a Primary Key.<pk/>"] : []),
    ...(key === undefined
      ? []
      : [`This is a Foreign Key to \`${key.references}.id\`.<fk table='${key.references}' column='id'/>`]),
  ];
  return {
    ...JSON_TYPES[type],
    ...(notes.length > 0 && { description: `Note:\n${notes.join("\n")}` }),
    ...(write === "never" && { readOnly: true }),
  };
}

function parameters(tables: readonly Table[]) {
  return Object.fromEntries([
    ...Object.entries(PREFERENCES).map(([name, values]) => [
      name,
      { name: "Prefer", in: "header", required: false, type: "string", enum: values },
    ]),
    ...Object.entries(QUERY_PARAMETERS).map(([name, description]) => [name, inQuery(name, description)]),
    ...tables.flatMap(({ name, columns }) => [
      [`body.${name}`, { name, in: "body", required: false, schema: { $ref: `#/definitions/${name}` } }],
      ...[...columns.keys()].map((column) => [
        `rowFilter.${name}.${column}`,
        inQuery(column, "<operator>.<value>, as in eq.x"),
      ]),
    ]),
  ]);
}

function inQuery(name: string, description: string) {
  return { name, in: "query", required: false, type: "string", description };
}

function reference(name: string) {
  return { $ref: `#/parameters/${name}` };
}
