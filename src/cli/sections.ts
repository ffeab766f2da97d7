/** A section of the list of commands in the help. */
export interface Section {
  readonly title: string;
  /** The names of its commands, in display order. */
  readonly commands: readonly string[];
}

/** All commands in the order of the help, the most frequent ones first. */
export const SECTIONS: readonly Section[] = [
  {
    title: "Work",
    commands: [
      "agents",
      "tasks",
      "questions",
      "teams",
      "runs",
      "golden",
      "schedules",
      "triggers",
      "pages",
      "files",
      "knowledge",
    ],
  },
  { title: "Workspace as files", commands: ["pull", "diff", "apply"] },
  { title: "Models and tools", commands: ["models", "providers", "tools", "mcp-servers", "remote-agents"] },
  { title: "Results", commands: ["routes", "deliveries", "hooks", "alerts", "export", "import", "marketplace"] },
  {
    title: "Cost and access",
    commands: ["usage", "budgets", "approvals", "limits", "keys", "apps", "members", "service-accounts"],
  },
  { title: "This client", commands: ["login", "logout", "status", "whoami", "completion"] },
  {
    title: "Server",
    commands: [
      "serve",
      "init",
      "setup-link",
      "doctor",
      "prove",
      "migrate",
      "backup",
      "restore",
      "reset-password",
      "reset-passkeys",
      "workspaces",
      "workspace",
      "ops",
      "erase",
      "rotate-key",
    ],
  },
];
