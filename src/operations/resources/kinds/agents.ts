import { agentCreate, agentPatch } from "#domain/agents/agent.ts";
import { createAgent, deleteAgents, updateAgent } from "../../agents/agents.ts";
import { checkAgent } from "../../agents/check-agent.ts";
import { defineResourceKind, pick } from "../resource-kind.ts";
import type { StepInput } from "../resource-kind.ts";
import { approvalReferences } from "./approval-references.ts";

/** Agents; a change makes a version. */
export const agents = defineResourceKind({
  resource: "agent",
  folder: "agents",
  schema: agentCreate,
  listed: "agent",
  omit: ["fallback_model", "status"],
  references: [
    { at: "tools.*", to: "tool" },
    { at: "voice_profile_id", to: "voice_profile" },
    { at: "output_template_id", to: "output_template" },
    { at: "knowledge_base_ids.*", to: "knowledge_base" },
    { at: "output_route_ids.*", to: "route" },
    { at: "config.requires_approval.*", to: "tool" },
    ...approvalReferences("config.approvals"),
  ],
  usualIn: ({ model }, { catalogue }) => ({
    provider: typeof model === "string" ? catalogue.providerOf(model) : undefined,
    fallback_models: [],
    needs_review: false,
  }),
  notesOf: ({ status }) => (status === "running" ? ["its unfinished tasks are cancelled"] : []),
  async begin(workspace, { id, isNew, input }) {
    if (isNew) {
      const { obstacles } = await checkAgent(workspace, agentCreate.parse(input.fields));
      return async (joined, { fields }) => {
        await createAgent(joined, { fields: { ...agentCreate.parse(fields), id }, obstacles });
        return { id };
      };
    }
    const { obstacles } = await checkAgent(workspace, patchOf(input));
    return async (joined, actual) => {
      await updateAgent(joined, { id, patch: { fields: patchOf(actual), obstacles } });
      return { id };
    };
  },
  remove: deleteAgents,
});

/** The changes of an agent; with another model, they name its provider, which is not the model's own then. */
function patchOf({ fields, changes }: StepInput) {
  return agentPatch.parse({ ...changes, ...("model" in changes && pick(fields, ["provider"])) });
}
