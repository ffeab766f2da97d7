import { savedTemplateCreate, savedTemplatePatch } from "#domain/agents/output-template.ts";
import type { Api } from "../shape/route.ts";
import { SELECTED, addSaved } from "./saved.ts";
import type { SavedResource } from "./saved.ts";

/** Adds /console/api/output-templates: templates that agents share. */
export default function addOutputTemplates(api: Api): void {
  addSaved(api, outputTemplates);
}

const outputTemplates: SavedResource = {
  of: "output_template",
  tag: "Voice and templates",
  path: "/console/api/output-templates",
  name: "OutputTemplate",
  noun: "output template",
  effects: SELECTED,
  create: savedTemplateCreate,
  patch: savedTemplatePatch,
  shows: savedTemplateCreate.shape,
};
