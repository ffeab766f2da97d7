import { answers, inPath, just, ofRuns } from "../probe-shapes.ts";
import type { Probe, Probes } from "../probe-shapes.ts";

/** What is asked of the routes of runs, questions, budgets and what is read of them. */
export const WORK_PROBES: Readonly<Record<string, Probes>> = {
  // Without a run of another workspace the stream would stay open.
  "GET /console/api/live": {
    naming: [
      ({ tasks: id }) => ({ at: `/console/api/live?follow=${id}@0` }),
      ({ team_runs: id }) => ({ at: `/console/api/live?follow=${id}@0` }),
    ],
  },
  "GET /console/api/questions": {
    plain: [just(), () => ({ at: "/console/api/questions?state=answered" })],
    naming: [
      ({ agents: id }) => ({ at: `/console/api/questions?agent_id=${id}` }),
      ({ teams: id }) => ({ at: `/console/api/questions?team_id=${id}` }),
      ({ tasks: id }) => ({ at: `/console/api/questions?run_id=${id}` }),
    ],
  },
  "GET /console/api/questions/{id}": inPath("interaction"),
  "POST /console/api/questions/{id}/link": inPath("interaction", {}),
  "GET /console/api/answer-links": {
    plain: [just()],
    naming: [({ interaction: id }) => ({ at: `/console/api/answer-links?question_id=${id}` })],
  },
  "DELETE /console/api/answer-links/{id}": inPath("answer_links"),
  "GET /console/api/runs/{id}/links": ofRuns(),
  "POST /console/api/runs/{id}/links": ofRuns({}),
  "DELETE /console/api/runs/{id}/links/{link_id}": {
    naming: [
      ({ tasks: id, run_links: link }) => ({ at: `/console/api/runs/${id}/links/${link}` }),
      ({ run_links: link }, { tasks: own }) => ({ at: `/console/api/runs/${own}/links/${link}` }),
    ],
  },
  "GET /console/api/search": {
    plain: [() => ({ at: "/console/api/search?q=a" })],
    naming: ["agents", "teams", "tasks", "files"].map((thing): Probe => (named) => ({
      at: `/console/api/search?q=${named[thing]}`,
    })),
  },
  "GET /console/api/runs": {
    plain: [just()],
    naming: [
      ({ agents: id }) => ({ at: `/console/api/runs?agent_id=${id}` }),
      ({ teams: id }) => ({ at: `/console/api/runs?team_id=${id}` }),
      ({ tasks: id }) => ({ at: `/console/api/runs?q=${id}` }),
    ],
  },
  "GET /console/api/budgets": {
    plain: [just()],
    naming: ["agents", "teams", "tasks", "team_runs", "workspaces"].map((thing): Probe => (named) => ({
      at: `/console/api/budgets?target_id=${named[thing]}`,
    })),
  },
  "POST /console/api/budgets": {
    plain: [just({ scope: "workspace", period: "total", max_usd: 100 })],
    naming: [
      ({ agents: id }) => ({ body: { scope: "agent", target_id: id, max_usd: 100 } }),
      ({ teams: id }) => ({ body: { scope: "team", target_id: id, max_usd: 100 } }),
      ({ tasks: id }) => ({ body: { scope: "run", target_id: id, max_usd: 100 } }),
      ({ team_runs: id }) => ({ body: { scope: "run", target_id: id, max_usd: 100 } }),
      ({ workspaces: id }) => ({ body: { scope: "workspace", target_id: id, max_usd: 100 } }),
    ],
  },
  "GET /console/api/budgets/{id}": inPath("budgets"),
  "PATCH /console/api/budgets/{id}": inPath("budgets", { max_usd: 100 }),
  "DELETE /console/api/budgets/{id}": inPath("budgets"),
  "GET /console/api/alerts": { plain: [just()] },
  "POST /console/api/alerts": {
    plain: [just({ name: "Waiting", kind: "queue_age", threshold: 5 })],
    naming: [
      ({ agents: id }) => ({ body: { name: "Cost", kind: "cost_per_hour", threshold: 5, agent_id: id } }),
      ({ teams: id }) => ({ body: { name: "Cost", kind: "cost_per_hour", threshold: 5, team_id: id } }),
      ({ output_routes: id }) => ({ body: { name: "Cost", kind: "cost_per_hour", threshold: 5, route_id: id } }),
      ({ output_routes: id }) => ({
        body: { name: "Route", kind: "route_failing", threshold: 5, watched_route_id: id },
      }),
    ],
  },
  "GET /console/api/alerts/{id}": inPath("alerts"),
  "PATCH /console/api/alerts/{id}": inPath("alerts", { threshold: 6 }),
  "DELETE /console/api/alerts/{id}": inPath("alerts"),
  "POST /console/api/alerts/{id}/test": inPath("alerts"),
  "GET /console/api/overview": { plain: [just(), () => ({ at: "/console/api/overview?bucket=day" })] },
  "GET /console/api/usage": { plain: [just(), () => ({ at: "/console/api/usage?group_by=agent,model,team" })] },
  "GET /console/api/usage/what-if": {
    plain: [just()],
    naming: [
      ({ agents: id }) => ({ at: `/console/api/usage/what-if?agent_id=${id}` }),
      ({ teams: id }) => ({ at: `/console/api/usage/what-if?team_id=${id}` }),
      ({ tasks: id }) => ({ at: `/console/api/usage/what-if?run_id=${id}` }),
      ({ team_runs: id }) => ({ at: `/console/api/usage/what-if?run_id=${id}` }),
    ],
  },
  "GET /console/api/estimate": {
    plain: [just()],
    naming: [
      ({ agents: id }) => ({ at: `/console/api/estimate?agent_id=${id}` }),
      ({ teams: id }) => ({ at: `/console/api/estimate?team_id=${id}` }),
    ],
  },
  "GET /console/api/runs/{id}/estimate": ofRuns(),
  "POST /console/api/tasks/retry": { plain: [() => ({ body: { error_code: "CRASH_LOOP" } })] },
  "POST /console/api/runs/retry": { plain: [() => ({ body: { error_code: "CRASH_LOOP" } })] },
  "POST /console/api/tasks/{id}/answer": answers("tasks"),
  "POST /console/api/runs/{id}/answer": answers("team_runs"),
  "GET /console/api/runs/{id}": ofRuns(),
  "POST /console/api/runs/{id}/stream-token": ofRuns(),
  "DELETE /console/api/runs/{id}": ofRuns(),
  "GET /console/api/runs/{id}/conversation": ofRuns(),
  "GET /console/api/runs/{id}/feedback": ofRuns(),
  "PUT /console/api/runs/{id}/feedback": ofRuns({ rating: "up" }),
  "DELETE /console/api/runs/{id}/feedback/{feedback_id}": {
    naming: ["tasks", "team_runs"].map((thing) => (named) => ({
      at: `/console/api/runs/${named[thing]}/feedback/${named[thing]}`,
    })),
  },
  "GET /console/api/runs/{id}/steps": ofRuns(),
  "GET /console/api/runs/{id}/step": {
    naming: ["tasks", "team_runs"].map((thing) => (named) => ({ at: `/console/api/runs/${named[thing]}/step?key=a` })),
  },
  "POST /console/api/runs/bulk": {
    naming: ["tasks", "team_runs"].map((one) => (named) => ({
      body: { action: "cancel", ids: [named[one]], expect: 1 },
    })),
  },
  "POST /console/api/runs/{id}/fork": ofRuns({ from_step: 0 }),
  "POST /console/api/runs/{id}/retry": ofRuns(),
};
