const AGENT = "01a1f0c2-5a30-7000-8000-000000000001";
const WRITER = "01a1f0c2-5a30-7000-8000-000000000003";
const TEAM = "01a1f0c2-5a30-7000-8000-000000000004";
const BASE = "01a1f0c2-5a30-7000-8000-000000000005";
const PERSON = { email: "ada@example.org", password: "correct horse battery" };
const ONE_TIME_TOKEN = "3fWk9pQeXv2mB7sT4uYcRnA6dLhJ1gZo";
const QUESTION = { interactionId: "0e7c5a64-2f4b-4c5e-9a37-4b1d7c7e9d10", approved: true };
const WEBHOOK = { target_url: "https://example.org/hooks/muster", event: "task_completed" };
const LOOKUP = {
  name: "look_up_order",
  description: "Looks up an order by its number.",
  url: "https://shop.example.org/orders/{number}",
  method: "GET",
  parameters: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
};
const MCP = { url: "https://mcp.example.org/mcp", headers: { Authorization: "Bearer 0123456789abcdef" } };
const DAILY = {
  name: "Morning report",
  cron: "0 7 * * 1-5",
  time_zone: "Europe/Berlin",
  assigned_agent_id: AGENT,
  title: "Report on {{date}}",
};

/** An example body for each operation that has one, by operationId. */
export const BODY_EXAMPLES: Readonly<Record<string, object>> = {
  completeSetup: { token: ONE_TIME_TOKEN, ...PERSON, name: "Ada" },
  signUp: { ...PERSON, name: "Ada", workspace_name: "Analytical Engines" },
  signIn: PERSON,
  signOut: {},
  refreshSession: {},
  createAccessToken: PERSON,
  changePassword: { current_password: PERSON.password, new_password: "a better battery" },
  resetPassword: { token: ONE_TIME_TOKEN, password: PERSON.password },
  acceptInvitation: { token: ONE_TIME_TOKEN, password: PERSON.password, name: "Ada" },
  updateProfile: { name: "Ada Lovelace" },
  createAgent: {
    name: "Researcher",
    model: "gpt-4o",
    system_prompt: "You answer in one sentence.",
    tools: ["web_search"],
  },
  updateAgent: { temperature: 0.2 },
  createTask: { title: "What is durable execution?", assigned_agent_id: AGENT },
  updateTask: { status: "cancelled" },
  createTeam: {
    name: "Newsroom",
    mode: "pipeline",
    config: { steps: [{ agent_id: AGENT }, { agent_id: WRITER, instructions: "Shorten it." }] },
  },
  updateTeam: { description: "Research, then writing" },
  startTeamRun: { team_id: TEAM, input_task: "A page on durable execution" },
  updateTeamRun: { status: "cancelled" },
  createHook: WEBHOOK,
  createWebhookSubscription: WEBHOOK,
  createKey: { label: "Build server", kind: "envelope", scopes: ["read", "write"] },
  updateKey: { label: "Old build server" },
  rotateKey: { overlap_seconds: 3_600 },
  createAgentStreamToken: { thread_id: "order-4711" },
  saveProviderKey: { api_key: "sk-0123456789abcdef" },
  createTool: LOOKUP,
  updateTool: { timeout_ms: 5_000 },
  testTool: { arguments: { number: "4711" } },
  createRemoteAgent: { base_url: "https://agents.example.org/translator" },
  updateRemoteAgent: { is_enabled: false },
  createMcpServer: { name: "tickets", ...MCP },
  discoverMcpServer: MCP,
  updateMcpServer: { is_enabled: false },
  testMcpServerTool: { tool: "find_ticket", arguments: { number: 4_711 } },
  updateMember: { role: "admin" },
  createInvitation: { email: "grace@example.org", role: "member" },
  updateWorkspace: { name: "Analytical Engines" },
  saveWorkspaceApprovals: {
    approvals: [
      { name: "Web requests", when: { tool: "http_request" }, ask: { role: "admin" }, need: 2, else: "deny" },
    ],
  },
  createWorkspace: { name: "Analytical Engines" },
  createVoiceProfile: { name: "House style", tone: "Formal", custom_instructions: "Short sentences." },
  updateVoiceProfile: { tone: "Casual" },
  createOutputTemplate: { name: "Report", type: "Markdown", body: "# {{task_title}}\n\n{{task_result}}" },
  updateOutputTemplate: { body: "{{task_result}}" },
  createKnowledgeBase: { name: "Handbook" },
  updateKnowledgeBase: { description: "How we work" },
  createDocument: { knowledge_base_id: BASE, name: "Holidays", text: "Everybody has 30 days a year." },
  updateDocument: { tags: ["hr"] },
  answerTask: QUESTION,
  answerRun: QUESTION,
  retryFailedTasks: { error_code: "MODEL_ERROR", since: "2026-11-22T08:00:00Z" },
  retryFailedRuns: { error_code: "MODEL_ERROR", since: "2026-11-22T08:00:00Z" },
  changeRuns: { action: "cancel", filter: { status: ["running"], agent_id: [AGENT] }, expect: 3 },
  forkRun: { from_step: 2, changes: { model: "gpt-4o" } },
  createBudget: { scope: "agent", target_id: AGENT, period: "month", max_usd: 50 },
  updateBudget: { max_usd: 80 },
  createAlert: { name: "Too many failures", kind: "failure_rate", threshold: 20, agent_id: AGENT },
  updateAlert: { threshold: 30 },
  createSchedule: DAILY,
  updateSchedule: { is_active: false },
  createTrigger: { name: "New issues", assigned_agent_id: AGENT, title: "Triage {{payload.issue.title}}" },
  updateTrigger: { is_active: false },
  createRoute: { name: "Our endpoint", type: "http", config: { url: "https://example.org/results" } },
  updateRoute: { is_active: false },
  redeliverFailed: { since: "2026-11-22T08:00:00Z" },
  createTrelloChannel: { name: "Inbox", secret: "the secret of your Trello app", assigned_agent_id: AGENT },
};
