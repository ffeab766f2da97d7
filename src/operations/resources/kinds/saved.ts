import type { z } from "zod";
import { savedTemplateCreate } from "#domain/agents/output-template.ts";
import { savedVoiceCreate } from "#domain/agents/voice.ts";
import { knowledgeBaseCreate } from "#domain/knowledge/knowledge.ts";
import type { Saved } from "#db/queries/agents/saved.ts";
import { createSaved, deleteSaved, updateSaved } from "../../agents/saved.ts";
import { defineResourceKind, written } from "../resource-kind.ts";
import type { ResourceKind } from "../resource-kind.ts";

/** Voices that agents select. */
export const voices = savedKind("voice_profile", "voices", savedVoiceCreate);

/** Output templates that agents select. */
export const templates = savedKind("output_template", "templates", savedTemplateCreate);

/** Knowledge bases without their documents. */
export const knowledgeBases: ResourceKind = {
  ...savedKind("knowledge_base", "knowledge-bases", knowledgeBaseCreate),
  notesOf: ({ documents }) => (documents === 0 ? [] : [`with its documents: ${String(documents)}`]),
};

function savedKind(of: Saved, folder: string, schema: z.ZodObject): ResourceKind {
  return defineResourceKind({
    resource: of,
    folder,
    schema,
    listed: of,
    begin: written({
      create: schema,
      patch: schema.partial(),
      add: (workspace, fields, id) => createSaved(workspace, { of, fields: { ...fields, id } }),
      change: (workspace, id, patch) => updateSaved(workspace, { of, id, patch }),
    }),
    remove: (workspace, ids) => deleteSaved(workspace, { of, ids }),
  });
}
