/** The configuration of a client for the MCP endpoint; the key is a placeholder. */
export interface ClientConfig {
  readonly client: string;
  readonly where: string;
  readonly text: string;
}

const KEY = "mst_mcp_...";

/** Configurations to copy and paste, for the clients that people use. @param url the MCP endpoint */
export function clientConfigs(url: string): readonly ClientConfig[] {
  const headers = { Authorization: `Bearer ${KEY}` };
  const remote = ["-y", "mcp-remote", url, "--header", "Authorization:${MUSTER_AUTH}"];
  const desktop = { command: "npx", args: remote, env: { MUSTER_AUTH: `Bearer ${KEY}` } };
  const prompt = { type: "promptString", id: "muster-key", description: "Muster MCP key", password: true };
  const code = { type: "http", url, headers: { Authorization: "Bearer ${input:muster-key}" } };
  return [
    {
      client: "Claude Code",
      where: "In a terminal",
      text: `claude mcp add --transport http muster "${url}" --header "Authorization: Bearer ${KEY}"`,
    },
    {
      client: "Claude Desktop",
      where: "claude_desktop_config.json",
      text: json({ mcpServers: { muster: desktop } }),
    },
    { client: "Cursor", where: ".cursor/mcp.json", text: json({ mcpServers: { muster: { url, headers } } }) },
    { client: "VS Code", where: ".vscode/mcp.json", text: json({ inputs: [prompt], servers: { muster: code } }) },
  ];
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}
