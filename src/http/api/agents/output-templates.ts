import { z } from "zod";
import { savedTemplateCreate, savedTemplatePatch } from "#domain/agents/output-template.ts";
import type { Api } from "../shape/route.ts";
import { SELECTED, addSaved } from "./saved.ts";
import type { SavedResource } from "./saved.ts";

/** Adds /console/api/output-templates: templates that agents share. */
export default function addOutputTemplates(api: Api): void {
  addSaved(api, outputTemplates);
}

/** The view `output_template_records` renders its records. */
const outputTemplates: SavedResource = {
  of: "output_template",
  tag: "Voice and templates",
  path: "/console/api/output-templates",
  name: "OutputTemplate",
  noun: "output template",
  effects: SELECTED,
  create: savedTemplateCreate,
  patch: savedTemplatePatch,
  record: z
    .strictObject({
      id: z.uuid(),
      workspace_id: z.uuid(),
      ...savedTemplateCreate.shape,
      created_by: z.uuid().nullable(),
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
    })
    .meta({ id: "OutputTemplate" }),
};
