import { z } from "zod";
import { displayName } from "../display-name.ts";
import { givenId } from "../given-id.ts";
import { DOCUMENT_FORMATS } from "#lib/extraction/format.ts";
import { EMBEDDING_MODEL } from "../models/embedding.ts";

/** The states of a document: waiting, being processed, searchable, or failed. */
export const DOCUMENT_STATUSES = ["pending", "processing", "ready", "failed"] as const;

/** The maximum number of passages in a search response. */
export const MAX_RESULTS = 20;
/** The default number of passages. */
export const DEFAULT_RESULTS = 5;

const baseFields = z.strictObject({
  name: displayName(100),
  description: z.string().max(10_000),
  embedding_model: z
    .string()
    .max(300)
    .regex(EMBEDDING_MODEL, "must be provider/model, such as openai/text-embedding-3-small, or none")
    .nullable()
    .describe("The embedding model of its documents: provider/model, or none; null: the instance's setting."),
});

/** The body of POST /console/api/knowledge/bases. */
export const knowledgeBaseCreate = baseFields.extend({
  description: baseFields.shape.description.default(""),
  embedding_model: baseFields.shape.embedding_model.default(null),
});

/** The body of PATCH /console/api/knowledge/bases/{id}. */
export const knowledgeBasePatch = baseFields.partial();

const documentName = displayName(300).trim();
const tags = z
  .array(displayName(50).trim())
  .max(20)
  .refine((given) => new Set(given).size === given.length, "must not contain a tag twice");

/** The body of POST /console/api/knowledge/documents: a text as it is. */
export const textDocument = z.strictObject({
  knowledge_base_id: givenId,
  name: documentName.describe("Shown as the source of found passages."),
  text: z.string().min(1),
  format: z.enum(["text", "markdown", "html", "csv", "json"]).default("text"),
  tags: tags.default([]),
});

/** The fields of the form of POST /console/api/knowledge/uploads, besides the file. */
export const uploadFields = z.strictObject({
  knowledge_base_id: givenId,
  name: documentName.optional().describe("Shown as the source of found passages; by default the file's name."),
  tags: z
    .string()
    .optional()
    .transform((given) => (given ?? "").split(",").map((tag) => tag.trim()))
    .transform((given) => given.filter((tag) => tag !== ""))
    .pipe(tags)
    .describe("Separated by commas."),
});

/** The body of PATCH /console/api/knowledge/documents/{id}. */
export const documentPatch = z.strictObject({ name: documentName, tags }).partial();

/** Changes to a document, validated. */
export type DocumentPatch = z.output<typeof documentPatch>;

/** A document as the API shows it; the view `knowledge_document_records` renders it. */
export const documentRecord = z.strictObject({
  id: z.uuid(),
  workspace_id: z.uuid(),
  knowledge_base_id: z.uuid(),
  name: z.string(),
  format: z.enum(DOCUMENT_FORMATS),
  media_type: z.string(),
  size: z.int().describe("The size of the original, in bytes."),
  tags: z.array(z.string()),
  status: z.enum(DOCUMENT_STATUSES),
  error: z.string().nullable().describe("Why it failed."),
  warning: z.string().nullable().describe("What is missing, although the document is ready."),
  progress: z.int().min(0).max(100).describe("The progress of the current attempt, in percent."),
  attempt: z.int(),
  passages: z.int(),
  embeddings: z.string().nullable().describe("provider/model/dimensions of its vectors; null without vectors."),
  created_by: z.uuid().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** A passage that was found. */
export const foundPassage = z.strictObject({
  content: z.string(),
  /** Between 0 and 1; 1 is best. */
  score: z.number(),
  heading: z.string().nullable(),
  page: z.int().nullable(),
  position: z.int().describe("Its position in the document, from 0."),
  document: z.strictObject({ id: z.uuid(), name: z.string(), tags: z.array(z.string()) }),
  knowledge_base_id: z.uuid(),
});

/** A passage that was found, with its source. */
export type FoundPassage = z.output<typeof foundPassage>;

/** The result of a search. */
export const searchResult = z.strictObject({
  mode: z.enum(["words", "hybrid"]).describe("Whether the search used full text alone, or full text and meaning."),
  note: z.string().nullable().describe("Why the search by meaning was incomplete, although vectors exist."),
  results: z.array(foundPassage),
});

/** The result of a search, best first. */
export interface SearchResult {
  readonly mode: "words" | "hybrid";
  readonly note: string | null;
  readonly results: readonly FoundPassage[];
}
