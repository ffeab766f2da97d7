import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { updateAgent } from "#client/gen/operations/agents.ts";
import { call } from "../../../api/client.ts";
import { asProblem } from "../../../api/problem.ts";
import { useBlockedBy } from "../../../api/use-session.ts";
import { plural } from "../../../lib/format.ts";
import { Button } from "../../../ui/button.tsx";
import { FormError, TextField } from "../../../ui/field.tsx";
import { listOf } from "../form/body.ts";
import type { Agent } from "../records.ts";
import { PublicPage } from "./public-page.tsx";
import { CopyRow, Way } from "./way.tsx";

const MAX_NAME = 64;

type Change = Partial<Pick<Agent, "is_marketplace" | "marketplace_tags" | "is_a2a_published" | "is_mcp_published">>;

/** Where visitors, other workspaces, agents of other frameworks and MCP clients find the agent, each with its URL. */
export default function Publish({ agent }: { readonly agent: Agent }) {
  const { change, error } = useChange(agent);
  const card = `${location.origin}/a2a/${agent.id}/.well-known/agent-card.json`;
  return (
    <div className="flex max-w-[38rem] flex-col px-page py-6">
      {error !== undefined && <FormError>{error}</FormError>}
      <PublicPage agent={agent} />
      <Way
        title="A2A"
        isOn={agent.is_a2a_published}
        label="Publish the card"
        onChange={(isOn) => void change({ is_a2a_published: isOn })}
        about="Agents built with other frameworks find it by its card. Calls need an A2A key of this workspace."
      >
        <CopyRow label="Card" text={card} />
        <CopyRow label="Endpoint" text={`${location.origin}/a2a/${agent.id}`} />
      </Way>
      <Way
        title="MCP"
        isOn={agent.is_mcp_published}
        label="Offer it as a tool"
        onChange={(isOn) => void change({ is_mcp_published: isOn })}
        about="MCP clients such as Claude, Cursor and VS Code call it as a tool, with an MCP key of this workspace."
      >
        <CopyRow label="Tool" text={mcpToolName(agent.name)} />
        <CopyRow label="Server" text={`${location.origin}/mcp`} />
        <p className="text-small text-ink-3">A second agent with the same tool name gets the suffix _2.</p>
      </Way>
      <Way
        title="Marketplace"
        isOn={agent.is_marketplace}
        label="List it"
        onChange={(isOn) => void change({ is_marketplace: isOn })}
        about="Other workspaces of this service see its name, description, model and tools, and can install a copy, with its prompt."
      >
        <MarketplaceTags key={agent.marketplace_tags.join()} agent={agent} onChange={change} />
        <p className="text-small text-ink-3">Installed by {plural(agent.install_count, "workspace")}.</p>
      </Way>
    </div>
  );
}

function useChange(agent: Agent) {
  const client = useQueryClient();
  const [error, setError] = useState<string>();

  async function change(body: Change): Promise<void> {
    setError(undefined);
    try {
      const query = { id: agent.id };
      const saved = await call(updateAgent)(query, body);
      client.setQueryData(["agent", agent.id], saved);
    } catch (failure) {
      setError(asProblem(failure).message);
    }
  }

  return { change, error };
}

function MarketplaceTags({
  agent,
  onChange,
}: {
  readonly agent: Agent;
  readonly onChange: (body: Change) => Promise<void>;
}) {
  const [text, setText] = useState(agent.marketplace_tags.join(", "));
  const blockedBy = useBlockedBy("member");
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label="Marketplace tags"
          aside="separated by commas"
          value={text}
          onChange={({ target }) => setText(target.value)}
          dir="auto"
        />
      </div>
      <Button
        blockedBy={blockedBy}
        disabled={listOf(text).join() === agent.marketplace_tags.join()}
        onClick={() => void onChange({ marketplace_tags: listOf(text) })}
      >
        Save tags
      </Button>
    </div>
  );
}

/** The name under which MCP clients see an agent (docs/mcp.md). */
function mcpToolName(agentName: string): string {
  return agentName
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .slice(0, MAX_NAME);
}
