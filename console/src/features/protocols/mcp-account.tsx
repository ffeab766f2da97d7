import { useQuery, useQueryClient } from "@tanstack/react-query";
import { connectMcpServer, disconnectMcpServer, listMcpServerAccounts } from "#client/gen/operations/mcp-servers.ts";
import { call } from "../../api/client.ts";
import { useAccess, useBlockedBy } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/field.tsx";
import { RemoveButton } from "../../ui/removal.tsx";
import { Section, SectionEmpty, SectionRow } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { useWork } from "../../ui/use-action.ts";
import type { McpAccount, McpServer } from "./records.ts";

/** Sends the browser to the authorization server of an MCP server; it comes back to the server's sheet. */
export async function openSignIn(id: string): Promise<void> {
  const { url } = await call(connectMcpServer)({ id });
  location.assign(url);
}

/** The accounts at a server to which people sign in by OAuth, and the button that connects one. */
export function McpAccounts({ server }: { readonly server: McpServer }) {
  const { data } = useQuery({
    queryKey: ["mcp-servers", server.id, "accounts"],
    queryFn: () => call(listMcpServerAccounts)({ id: server.id }),
  });
  const isPersonal = server.oauth?.account === "person";
  return (
    <Section title={isPersonal ? "Accounts" : "Account"} aside={<ConnectButton server={server} />}>
      {server.account_status === "lost" && (
        <FormError className="my-3">{server.account_error ?? "The account was revoked."}</FormError>
      )}
      {data?.length === 0 && (
        <SectionEmpty>
          {isPersonal
            ? "None yet. Each person's account is used in runs that they started and calls that they approved."
            : "None yet. All runs of the workspace will use the account with which you sign in."}
        </SectionEmpty>
      )}
      <ul>
        {data?.map((account) => (
          <Account key={account.id} account={account} server={server} />
        ))}
      </ul>
    </Section>
  );
}

function ConnectButton({ server }: { readonly server: McpServer }) {
  const isPersonal = server.oauth?.account === "person";
  const blockedBy = useBlockedBy(isPersonal ? "member" : "admin");
  const { isBusy, error, start } = useWork();
  const isConnected = server.account_status === "connected";
  return (
    <div className="flex items-center gap-2">
      {error !== undefined && <span className="text-small text-failed">{error}</span>}
      <Button
        size="small"
        look={isConnected ? "plain" : "primary"}
        isBusy={isBusy}
        blockedBy={blockedBy}
        onClick={() => start(() => openSignIn(server.id))}
      >
        {server.account_status === "missing" ? "Sign in" : "Sign in again"}
      </Button>
    </div>
  );
}

function Account({ account, server }: { readonly account: McpAccount; readonly server: McpServer }) {
  const client = useQueryClient();
  const { user } = useAccess();
  const notAdmin = useBlockedBy("admin");
  const { id, person, status, connected_at: at } = account;
  const isOwn = person?.id === user.id;
  async function disconnect(): Promise<void> {
    await call(disconnectMcpServer)({ id: server.id, account_id: id });
    await client.invalidateQueries({ queryKey: ["mcp-servers"] });
  }
  const whose = person === null ? "The workspace" : isOwn ? "You" : visibleText(person.name);
  return (
    <SectionRow
      end={
        <RemoveButton
          size="small"
          blockedBy={isOwn ? undefined : notAdmin}
          removal={{
            title: `Disconnect the account at ${server.name}?`,
            action: "Disconnect",
            effect: "Its tokens are deleted at once. Calls that need it wait until one is connected again.",
            remove: disconnect,
          }}
        >
          Disconnect<span className="sr-only"> the account of {whose}</span>
        </RemoveButton>
      }
    >
      <div className="min-w-0">
        <span dir="auto" className="block truncate font-medium">
          {whose}
        </span>
        <span className="block text-small text-ink-3">
          {status === "lost" && <span className="text-failed">Needs a new sign-in. </span>}
          Connected <Time at={at} />
        </span>
      </div>
    </SectionRow>
  );
}
