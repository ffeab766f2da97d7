import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { keyWords } from "./vendor.ts";
import type { Vendor } from "./vendor.ts";

const COLUMNS: readonly Column<Vendor>[] = [
  { head: "Vendor", cell: (vendor) => <Name vendor={vendor} /> },
  { head: "Key", cell: (vendor) => <KeyState vendor={vendor} />, from: "sm" },
  { head: "Changed", cell: ({ key }) => key && <Time at={key.updated_at} />, from: "md", width: "w-36" },
  { head: "Action", cell: (vendor) => <SetKey vendor={vendor} />, align: "end", width: "w-36" },
];

/** The model vendors: whether they can be used, and with which key. */
export function VendorTable({ vendors }: { readonly vendors: readonly Vendor[] }) {
  return <Table label="Model vendors" rows={vendors} keyOf={({ id }) => id} columns={COLUMNS} />;
}

function Name({ vendor }: { readonly vendor: Vendor }) {
  return (
    <>
      <span className="block truncate font-medium">{vendor.label}</span>
      <span className="block truncate text-small text-ink-3 sm:hidden">{keyWords(vendor)}</span>
      {vendor.key?.base_url != null && (
        <span className="block truncate font-mono text-small text-ink-3">{vendor.key.base_url}</span>
      )}
    </>
  );
}

function KeyState({ vendor }: { readonly vendor: Vendor }) {
  return (
    <span
      className={`block truncate ${vendor.usable ? "text-ink-2" : "text-waiting"}`}
      title={vendor.unusable_reason ?? undefined}
    >
      {keyWords(vendor)}
    </span>
  );
}

function SetKey({ vendor }: { readonly vendor: Vendor }) {
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("admin");
  if (!vendor.isConfigurable) return null;
  const words = vendor.key === undefined ? "Add key" : "Change";
  const name = <span className="sr-only"> of {vendor.label}</span>;
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
      search={{ vendor: vendor.id }}
      className={buttonClass({ size: "small" })}
    >
      {words}
      {name}
    </Link>
  );
}
