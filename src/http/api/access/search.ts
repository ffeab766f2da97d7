import { z } from "zod";
import { FOUND_KINDS } from "#domain/access/found-record.ts";
import { searchRecords } from "#operations/access/search-records.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const query = z.strictObject({
  q: z.string().trim().min(1).max(200).describe("A part of a name, words of a run's title, or the start of an id."),
});

const record = z
  .strictObject({
    kind: z.enum(FOUND_KINDS),
    id: z.uuid(),
    name: z.string(),
    status: z.string().nullable().describe("The status of a run or a document."),
    parent_id: z.uuid().nullable().describe("The base of a document; the task or run of a file."),
  })
  .meta({ id: "FoundRecord" });

const found = z.array(record).describe("Up to 8 of each kind: names that start with the text first, then the newest.");

/** Adds /console/api/search: records of the workspace by name, title or id. */
export default function addSearch(api: Api): void {
  addPath(api, "/console/api/search", { tag: "Workspaces", endpoints: [search] });
}

const search = endpoint({
  method: "get",
  operationId: "searchRecords",
  summary: "Find runs, agents, teams and other records by name, title or id; up to 8 of each kind",
  query,
  success: { status: 200, schema: found },
  handle: async ({ c, workspace, query }) => respondValue(c, await searchRecords(workspace, query.q)),
});
