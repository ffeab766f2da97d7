import type { Requirements } from "./requirement.ts";

/** Templates of agents and teams, and the first steps of a workspace. */
export const gallery = {
  "gallery.catalogue": {
    states:
      "GET /console/api/templates lists at least twelve templates of agents and templates of teams of all modes, each with its purpose in one line, its tools, an example task, and its records as an import takes them.",
    source: "goal",
  },
  "gallery.runs": {
    states: "Each template creates its agent or team, which completes the example task on the demo model.",
    source: "goal",
  },
  "gallery.use": {
    states:
      "POST /console/api/templates/{id}/use creates the agent or team with the given name and model; a name that is taken gets a number.",
    source: "decision",
  },
  "gallery.console": {
    states:
      "New agent and New team offer the templates with a preview; Use this template fills in the form, and the example is ready to be sent.",
    source: "goal",
  },
  "gallery.first-steps": {
    states:
      "GET /console/api/first-steps tells which of five first steps a workspace has taken: an agent, a run, a model besides the demo model, a destination, a second person.",
    source: "goal",
  },
  "gallery.first-steps.console": {
    states:
      "Home lists the first steps with links until all are taken, or the person hides them; hidden ones are not asked for again.",
    source: "goal",
  },
  "gallery.run-graph": {
    states:
      "The page of a team's run shows the team's graph with the state, time and cost at each box, live; a click opens the step.",
    source: "goal",
  },
} as const satisfies Requirements<"gallery">;
