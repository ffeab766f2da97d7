import type { z } from "zod";
import type { Saved } from "#db/queries/agents/saved.ts";
import { createSaved, deleteSaved, updateSaved } from "#operations/agents/saved.ts";
import { checked } from "./rejections.ts";
import type { Writer } from "./writer.ts";

/** Writes saved voices or templates, by the rules of the console's API. */
export function savedWriter(of: Saved, rules: { readonly create: z.ZodObject; readonly patch: z.ZodObject }): Writer {
  const table = `${of}s`;
  return {
    async insert({ workspace }, { id, ...row }) {
      await createSaved(workspace, { of, fields: { ...checked(table, rules.create, row), id } });
    },
    async update({ workspace }, id, row) {
      await updateSaved(workspace, { of, id, patch: checked(table, rules.patch, row) });
    },
    remove: ({ workspace }, ids) => deleteSaved(workspace, { of, ids }),
  };
}
