import { z } from "zod";

/** What a workspace is described by, in the order in which it is applied: what others name comes first. */
export const RESOURCES = [
  "knowledge_base",
  "voice_profile",
  "output_template",
  "tool",
  "mcp_server",
  "route",
  "agent",
  "team",
  "approvals",
  "schedule",
  "trigger",
  "budget",
  "alert",
  "golden_set",
] as const;

/** What a description has by default: golden cases hold what people wrote and tools returned. */
export const DEFAULT_RESOURCES: readonly ResourceName[] = RESOURCES.filter((resource) => resource !== "golden_set");

/** One of {@link RESOURCES}. */
export type ResourceName = (typeof RESOURCES)[number];

/** The format of a workspace's description, and its version. */
export const RESOURCES_FORMAT = "muster-workspace";
/** See {@link RESOURCES_FORMAT}. */
export const RESOURCES_VERSION = 1;

/** The most documents of a description, and its most bytes as JSON. */
export const MAX_DOCUMENTS = 2_000;
/** See {@link MAX_DOCUMENTS}. */
export const MAX_RESOURCES_BYTES = 16 * 1024 * 1024;

const MAX_VARIABLES = 1_000;

/** A variable in a secret field of a document, such as `${SLACK_TOKEN}`. */
export const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

const resource = z.enum(RESOURCES);

const document = z
  .looseObject({ resource })
  .describe("The fields of the API, with names in place of ids, and variables in place of secrets.");

/** Kinds of resources. */
export const resourceNames = z.array(resource).max(RESOURCES.length);

/** A description of a workspace. */
const description = {
  format: z.literal(RESOURCES_FORMAT, `must be ${RESOURCES_FORMAT}`),
  version: z.literal(
    RESOURCES_VERSION,
    `is not one that this version of Muster reads; it reads ${RESOURCES_VERSION}. Update the older of the two.`,
  ),
  resources: resourceNames.describe("The described kinds. What else the workspace has stays as it is."),
};

const wanted = z.strictObject({
  ...description,
  documents: z.array(document).max(MAX_DOCUMENTS),
  variables: z
    .record(z.string().max(200), z.string().max(10_000))
    .refine((given) => Object.keys(given).length <= MAX_VARIABLES, `must be at most ${MAX_VARIABLES}`)
    .default({})
    .describe("The values of the variables that secrets name. A secret without one stays as it is."),
});

/** The body of a comparison. */
export const resourcesDiff = wanted.describe("A workspace as it should be.");

/** The body of POST /console/api/workspace/resources/apply. */
export const resourcesApply = wanted
  .extend({
    revision: z
      .string()
      .max(100)
      .optional()
      .describe("Of a comparison: if the workspace has changed since then, nothing is applied."),
    prune: z.boolean().default(false).describe("Whether to delete records of the described kinds without a document."),
    dry_run: z.boolean().default(false).describe("Whether to try everything and change nothing."),
  })
  .describe("A workspace as it should be.");

/** A workspace as it should be, validated but for its documents. */
export type WantedResources = z.output<typeof wanted>;

/** See {@link resourcesApply}. */
export type ResourcesApply = z.output<typeof resourcesApply>;

/** A document of a description. */
export type ResourceDocument = z.output<typeof document>;

/** A field that differs. */
const fieldChange = z.strictObject({
  path: z.string().describe("The field, such as config.steps.0.agent_id."),
  before: z.unknown().describe("null for none, and for a secret."),
  after: z.unknown(),
  is_secret: z.boolean().describe("Whether the values are secret, and not shown."),
});

/** See {@link fieldChange}. */
export type ResourceFieldChange = z.output<typeof fieldChange>;

const change = z
  .strictObject({
    action: z.enum(["create", "update", "delete"]),
    resource,
    name: z.string(),
    id: z.string().nullable().describe("null for a record that does not exist yet."),
    document: z.int().nullable().describe("The position of its document; null for a deletion."),
    fields: z.array(fieldChange).describe("What an update changes."),
    notes: z.array(z.string()).describe("What else it means, such as who uses what is deleted."),
    token: z.string().nullable().describe("The token of a new trigger's URL, shown only once."),
  })
  .meta({ id: "ResourceChange" });

/** A change of a record. */
export type ResourceChange = z.output<typeof change>;

/** A comparison. */
export const resourcesPlan = z
  .strictObject({
    revision: z.string().describe("Of the workspace's described kinds."),
    changes: z.array(change).describe("In the order in which they are applied."),
    extra: z.array(change).describe("Records of the described kinds without a document; prune deletes them."),
    variables: z.array(z.string()).describe("The variables that secrets of the documents name."),
    applied: z.boolean(),
  })
  .meta({ id: "ResourcesPlan" });

/** See {@link resourcesPlan}. */
export type ResourcesPlan = z.output<typeof resourcesPlan>;

/** The response of GET /console/api/workspace/resources. */
export const resourcesRecord = z
  .strictObject({
    ...description,
    documents: z.array(z.strictObject({ path: z.string().describe("A path for its file."), document })),
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())).describe("A JSON Schema of each described kind."),
  })
  .meta({ id: "WorkspaceResources" });

/** See {@link resourcesRecord}. */
export type ResourcesRecord = z.output<typeof resourcesRecord>;
