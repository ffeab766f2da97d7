/** The groups of operations in the OpenAPI document, in its order, with what each is about. */
export const TAGS = {
  Agents: "Agents: a model with instructions, tools and knowledge.",
  "Agent versions": "What an agent was like, version by version.",
  "Voice and templates": "Saved voice profiles and output templates that agents share.",
  Tasks: "Tasks: work for an agent or a team.",
  Questions: "Questions that runs ask people, and their answers.",
  Teams: "Teams of agents, and what they remember.",
  Runs: "Runs of tasks and teams: lists, steps, forks and retries.",
  Files: "Files for tasks and runs, and what they give out.",
  Knowledge: "Knowledge bases, their documents, and the search in them.",
  Tools: "Custom tools: HTTP endpoints that agents call.",
  "MCP servers": "MCP servers whose tools agents call.",
  "Remote agents": "Agents of other services that yours call by A2A.",
  Marketplace: "Agents that workspaces offer to each other.",
  "Export and import": "Agents and teams as files.",
  Schedules: "Tasks at given times.",
  Triggers: "Tasks that webhooks of other services create.",
  "Output routes": "Where results go: chats, documents, trackers, webhooks.",
  Deliveries: "What output routes and webhooks have delivered, attempt by attempt.",
  Webhooks: "Subscriptions to events of the workspace.",
  Usage: "Tokens and cost.",
  Budgets: "Caps on what a workspace, an agent, a team or a run may spend.",
  Models: "Model vendors, their keys, and the catalogue of models.",
  Live: "One stream of what changes in the workspace.",
  Identity: "Who the caller is.",
  Keys: "API keys of the workspace.",
  Members: "Members of the workspace and invitations to it.",
  Workspaces: "Workspaces, their names and quotas.",
  Accounts: "Sign-in of people, sessions and passwords.",
} as const satisfies Readonly<Record<string, string>>;

/** A group of operations. */
export type Tag = keyof typeof TAGS;
