import { newId } from "#lib/ids.ts";
import { inPath, just, ofRuns, ofVersion, open, refused, saved } from "../probe-shapes.ts";
import type { Probes } from "../probe-shapes.ts";

/** What is asked of the routes of agents, teams, the marketplace and knowledge, beside the envelope API. */
export const AGENTS_PROBES: Readonly<Record<string, Probes>> = {
  "GET /console/api/agents/{id}/export": inPath("agents"),
  "POST /console/api/agents/import": refused,
  "GET /console/api/agents/tags": { plain: [just()] },
  "GET /console/api/agents/stats": {
    plain: [(_, own) => ({ at: `/console/api/agents/stats?id=${own["agents"]}` })],
  },
  "GET /console/api/agents/{id}/conversations": inPath("agents"),
  "GET /console/api/agents/{id}/stats": inPath("agents"),
  "POST /console/api/agents/{id}/stream-token": inPath("agents", {}),
  "GET /console/api/agents/{id}/used-by": inPath("agents"),
  "GET /console/api/teams/{id}/used-by": inPath("teams"),
  "GET /console/api/agents/{id}/versions": inPath("agents"),
  "GET /console/api/agents/{id}/versions/{version}": ofVersion(""),
  "GET /console/api/agents/{id}/versions/{version}/diff": ofVersion("/diff"),
  "POST /console/api/agents/{id}/versions/{version}/restore": ofVersion("/restore"),
  "GET /console/api/agents/{id}/golden/cases": inPath("agents"),
  "POST /console/api/agents/{id}/golden/cases": inPath("agents", { filter: { status: ["failed"] } }),
  "GET /console/api/agents/{id}/golden/runs": inPath("agents"),
  "POST /console/api/agents/{id}/golden/runs": inPath("agents", {}),
  "GET /console/api/agents/{id}/golden/gate": inPath("agents"),
  "PUT /console/api/agents/{id}/golden/gate": inPath("agents", { required: "none" }),
  "POST /console/api/agents/{id}/golden/publish": inPath("agents", {}),
  "GET /console/api/golden/cases/{id}": inPath("golden_cases"),
  "PATCH /console/api/golden/cases/{id}": inPath("golden_cases", { name: "X" }),
  "DELETE /console/api/golden/cases/{id}": inPath("golden_cases"),
  "GET /console/api/golden/runs/{id}": inPath("golden_runs"),
  "POST /console/api/golden/runs/{id}/cancel": inPath("golden_runs"),
  "POST /console/api/runs/{id}/golden": ofRuns({}),
  "GET /console/api/teams/{id}/export": inPath("teams"),
  "POST /console/api/teams/import": refused,
  "GET /console/api/teams/{id}/memories": inPath("teams"),
  "DELETE /console/api/teams/{id}/memories": inPath("teams"),
  "DELETE /console/api/teams/{id}/memories/{memory_id}": {
    naming: [
      ({ teams, team_memories: id }) => ({ at: `/console/api/teams/${teams}/memories/${id}` }),
      ({ team_memories: id }, own) => ({ at: `/console/api/teams/${own["teams"]}/memories/${id}` }),
    ],
  },
  ...saved("/console/api/pages", "agent_pages", {}),
  "GET /console/api/pages": {
    plain: [just()],
    naming: [({ agents: id }) => ({ at: `/console/api/pages?agent_id=${id}` })],
  },
  "POST /console/api/pages": {
    naming: [({ agents: id }) => ({ body: { agent_id: id, slug: "a-probe", title: "X" } })],
  },
  "PATCH /console/api/pages/{id}": inPath("agent_pages", { title: "X" }),
  "POST /console/api/pages/{id}/rotate": inPath("agent_pages", {}),
  "POST /p/{slug}/open": { plain: [() => ({ at: "/p/no-such-page/open", body: {} })] },
  "POST /p/{slug}/sse": { plain: [() => ({ at: "/p/no-such-page/sse", body: { threadId: newId(), messages: [] } })] },
  "POST /p/{slug}/stop": { plain: [() => ({ at: "/p/no-such-page/stop", body: { threadId: newId() } })] },
  "GET /console/api/first-steps": open,
  "GET /console/api/templates": open,
  "POST /console/api/templates/{id}/use": {
    plain: [() => ({ at: "/console/api/templates/translator/use", body: {} })],
  },
  "GET /console/api/marketplace": open,
  "GET /console/api/marketplace/{id}": inPath("agents"),
  "POST /console/api/marketplace/{id}/install": inPath("agents"),
  ...saved("/console/api/voice-profiles", "voice_profiles", { name: "X", tone: "Formal" }),
  ...saved("/console/api/output-templates", "output_templates", { name: "X", type: "HTML", body: "x" }),
  ...saved("/console/api/knowledge/bases", "knowledge_bases", { name: "X" }),
  "GET /console/api/knowledge/documents": {
    plain: [just()],
    naming: [({ knowledge_bases: id }) => ({ at: `/console/api/knowledge/documents?knowledge_base_id=${id}` })],
  },
  "POST /console/api/knowledge/documents": {
    naming: [({ knowledge_bases: id }) => ({ body: { knowledge_base_id: id, name: "X", text: "x" } })],
  },
  "POST /console/api/knowledge/uploads": refused,
  "GET /console/api/knowledge/documents/{id}": inPath("knowledge_documents"),
  "PATCH /console/api/knowledge/documents/{id}": inPath("knowledge_documents", { name: "X" }),
  "DELETE /console/api/knowledge/documents/{id}": inPath("knowledge_documents"),
  "POST /console/api/knowledge/documents/{id}/reprocess": inPath("knowledge_documents"),
  "GET /console/api/knowledge/tags": {
    plain: [just()],
    naming: [({ knowledge_bases: id }) => ({ at: `/console/api/knowledge/tags?knowledge_base_id=${id}` })],
  },
  "GET /console/api/knowledge/search": {
    plain: [() => ({ at: "/console/api/knowledge/search?q=text" })],
    naming: [({ knowledge_bases: id }) => ({ at: `/console/api/knowledge/search?q=text&knowledge_base_ids=${id}` })],
  },
};
