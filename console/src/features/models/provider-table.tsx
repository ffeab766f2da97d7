import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { keyLabel } from "./connected-provider.ts";
import type { ConnectedProvider } from "./connected-provider.ts";

const COLUMNS: readonly Column<ConnectedProvider>[] = [
  { head: "Provider", cell: (provider) => <Name provider={provider} /> },
  { head: "Key", cell: (provider) => <KeyState provider={provider} />, from: "sm" },
  { head: "Changed", cell: ({ key }) => key && <Time at={key.updated_at} />, from: "md", width: "w-36" },
  { head: "Action", cell: (provider) => <SetKey provider={provider} />, align: "end", width: "w-36" },
];

/** The model providers: whether they can be used, and with which key. */
export function ProviderTable({ providers }: { readonly providers: readonly ConnectedProvider[] }) {
  return <Table label="Model providers" rows={providers} keyOf={({ id }) => id} columns={COLUMNS} />;
}

function Name({ provider }: { readonly provider: ConnectedProvider }) {
  return (
    <>
      <span className="block truncate font-medium max-sm:whitespace-normal">{provider.label}</span>
      <span className="block truncate text-small text-ink-3 sm:hidden">{keyLabel(provider)}</span>
      {addressOf(provider) !== "" && (
        <span className="block truncate font-mono text-small text-ink-3">{addressOf(provider)}</span>
      )}
    </>
  );
}

function addressOf({ key }: ConnectedProvider): string {
  const parts = [key?.base_url, key?.resource, key?.region, key?.project];
  return parts.filter((part) => part != null).join(" ");
}

function KeyState({ provider }: { readonly provider: ConnectedProvider }) {
  return (
    <span
      className={`block truncate ${provider.usable ? "text-ink-2" : provider.key ? "text-waiting" : "text-ink-3"}`}
      title={provider.unusable_reason ?? undefined}
    >
      {keyLabel(provider)}
    </span>
  );
}

function SetKey({ provider }: { readonly provider: ConnectedProvider }) {
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("admin");
  if (!provider.isConfigurable) return null;
  const words = provider.key === undefined ? "Add key" : "Change";
  const name = <span className="sr-only"> of {provider.label}</span>;
  if (blockedBy !== undefined) {
    return (
      <Button size="small" blockedBy={blockedBy}>
        {words}
        {name}
      </Button>
    );
  }
  return (
    <Link
      to="/w/$workspace/settings/models"
      params={{ workspace: slug }}
      search={{ provider: provider.id }}
      className={buttonClass({ size: "small" })}
    >
      {words}
      {name}
    </Link>
  );
}
