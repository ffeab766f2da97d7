import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { FILE_DIRECTIONS } from "#domain/files/file.ts";
import { previewTypeOf } from "#domain/files/media-type.ts";
import { deleteFile, getFile, insertUpload, storeUpload } from "#operations/files/files.ts";
import { listPage } from "#operations/list-records.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { listQuery, nameFilter } from "../shape/list-query.ts";
import { pageOf } from "../shape/page-query.ts";
import { respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { hashOfUpload, readUpload } from "./read-upload.ts";
import { originOf } from "../../middleware/origin.ts";
import { endpoint } from "../shape/endpoint.ts";

/** A file as the API shows it in lists; the view `file_records` renders it. */
const listedFile = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    name: z.string(),
    type: z.string(),
    size: z.int(),
    direction: z.enum(FILE_DIRECTIONS),
    task_id: z.uuid().nullable(),
    run_id: z.uuid().nullable(),
    attempt: z.int().nullable(),
    work_title: z.string().nullable().describe("The title of its task, or the start of its run's input."),
    created_by: z.uuid().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "ListedFile" });

const fileRecord = listedFile
  .extend({
    url: z.url().describe("The download URL, valid without a key for 24 hours."),
    preview_url: z.url().nullable().describe("The URL of a preview, valid as long; null for types without one."),
  })
  .meta({ id: "StoredFile" });

const filesQuery = listQuery.omit({ id: true }).extend({
  task_id: givenId.optional().describe("Only files of this task."),
  run_id: givenId.optional().describe("Only files of this run."),
  q: nameFilter,
  type: z.string().max(200).optional().describe("The media type or its start, such as image/."),
  direction: z.enum(FILE_DIRECTIONS).optional().describe("Input or output files."),
});

const upload = z.strictObject({ file: z.string().meta({ format: "binary" }) });

/** Adds /files and /files/{id}. */
export default function addFiles(api: Api): void {
  addPath(api, "/files", { tag: "Files", endpoints: [list, take] });
  addPath(api, "/files/{id}", { tag: "Files", endpoints: [read, remove] });
}

const list = endpoint({
  method: "get",
  operationId: "listFiles",
  summary: "List files, newest first",
  query: filesQuery,
  success: { status: 200, schema: z.array(listedFile) },
  async handle({ c, workspace, query }) {
    const { limit, cursor, task_id: taskId, run_id: runId, ...filters } = query;
    const fields = { taskId, runId, ...filters };
    return respondPage(c, await listPage(workspace, { of: "file", ...pageOf({ limit, cursor }), fields }));
  },
});

const take = endpoint({
  method: "post",
  operationId: "uploadFile",
  summary: "Upload a file; attach it to a task or a run within a day",
  ownBody: { schema: upload, contentType: "multipart/form-data" },
  success: { status: 201, schema: fileRecord },
  hash: hashOfUpload,
  async prepare({ c, workspace }) {
    const file = await storeUpload(workspace, await readUpload(c));
    return async (joined) => respondValue(c, withUrl(c, workspace, await insertUpload(joined, file)), 201);
  },
});

const read = endpoint({
  method: "get",
  operationId: "getFile",
  summary: "Read a file's record with its download URL",
  params: idQuery,
  success: { status: 200, schema: fileRecord },
  handle: async ({ c, workspace, params }) =>
    respondValue(c, withUrl(c, workspace, await getFile(workspace, params.id))),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteFile",
  summary: "Delete a file; not while its task or run is in progress",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteFile(workspace, params.id),
});

const identified = z.looseObject({ id: z.uuid(), type: z.string() });

function withUrl(c: HttpContext, services: HttpServices, record: string): object {
  const file = identified.parse(JSON.parse(record));
  const origin = originOf(c, services);
  const { download, preview } = services.links.pathsOf(file.id);
  const isShown = previewTypeOf(file.type) !== undefined;
  return { ...file, url: origin + download, preview_url: isShown ? origin + preview : null };
}
