import { AppError } from "#domain/errors.ts";
import { goldenSet } from "#domain/golden/golden-set.ts";
import { MAX_RESOURCES_BYTES } from "#domain/resources/resource.ts";
import { readGoldenSets } from "#db/queries/golden/golden-cases.ts";
import { clearGoldenSet, replaceGoldenSet } from "../../golden/golden-set.ts";
import { assertSchemas } from "../../golden/golden-cases.ts";
import { isRecord } from "#lib/is-record.ts";
import { oneByOne } from "../resource-kind.ts";
import type { Fields, ResourceKind } from "../resource-kind.ts";

/** A set has no id: it is known by that of its agent, and is another record. */
const OF_AGENT = "/golden";
const FIELDS = ["agent_id", "required", "cases"] as const;

/** The golden cases of agents, without those with files, and their gates: one document for an agent. */
export const goldenSets: ResourceKind = {
  resource: "golden_set",
  folder: "golden",
  schema: goldenSet,
  fields: FIELDS,
  defaults: { required: "none" },
  referencesIn: () => [
    { at: "agent_id", to: "agent" },
    { at: "cases.*.checks.*.agent_id", to: "agent" },
  ],
  usualIn: () => ({}),
  namesLater: () => false,
  fixed: ["agent_id"],
  secretsOf: () => [],
  async read(workspace) {
    const sets = await readGoldenSets(workspace, workspace.who.workspaceId, MAX_RESOURCES_BYTES);
    if (sets === undefined) {
      throw new AppError(
        "conflict",
        "The golden cases of this workspace are too large for files: leave out golden_set.",
      );
    }
    return sets.map((record) => ({ id: record.agent_id + OF_AGENT, record: { ...record } }));
  },
  fieldsOf: (record) => ({ ...record, cases: inOrder(record["cases"]) }),
  nameOf: ({ agent_id: agent }) => (typeof agent === "string" ? agent : ""),
  notesOf: () => [],
  openSecrets: () => Promise.resolve(new Map()),
  async begin(workspace, { id, input }) {
    for (const { checks } of goldenSet.parse(input.fields).cases) await assertSchemas(workspace, checks);
    return async (joined, { fields }) => {
      await replaceGoldenSet(joined, goldenSet.parse(fields));
      return { id };
    };
  },
  remove: oneByOne((workspace, id) => clearGoldenSet(workspace, id.slice(0, -OF_AGENT.length))),
};

/** Cases have no order: it follows from what they are. */
function inOrder(cases: unknown): readonly Fields[] {
  const all = Array.isArray(cases) ? cases.filter(isRecord) : [];
  const keyed = all.map((each) => ({ each, key: `${String(each["name"])}\n${JSON.stringify(each)}` }));
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ each }) => each);
}
