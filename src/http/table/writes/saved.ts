import type { z } from "zod";
import type { Saved } from "#db/queries/agents/saved.ts";
import { createSaved, deleteSaved, updateSaved } from "#operations/agents/saved.ts";
import { checked } from "./rejections.ts";
import type { Writer } from "./writer.ts";

/** Writes saved voices or templates, by the rules of the console's API. */
export function savedWriter(of: Saved, rules: { readonly create: z.ZodObject; readonly patch: z.ZodObject }): Writer {
  const table = `${of}s`;
  return {
    async insert({ services, who }, { id, ...row }) {
      await createSaved(services, who, { of, fields: { ...checked(table, rules.create, row), id } });
    },
    async update({ services, who }, id, row) {
      await updateSaved(services, who, { of, id, patch: checked(table, rules.patch, row) });
    },
    remove: ({ services, who }, ids) => deleteSaved(services, who, { of, ids }),
  };
}
