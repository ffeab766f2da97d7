import { useState } from "react";
import { CopyButton } from "../../ui/copy.tsx";
import { RecordSheet } from "../../ui/record-sheet.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useCustomTool } from "./queries.ts";
import { ToolCalls } from "./tool-calls.tsx";
import { ToolForm } from "./tool-form.tsx";
import { ToolTest } from "./tool-test.tsx";

/** The form of a tool that is yet to be made. */
export function NewToolSheet({
  onMade,
  onClose,
}: {
  readonly onMade: (id: string) => void;
  readonly onClose: () => void;
}) {
  return (
    <Sheet title="New tool" description="An HTTP endpoint that agents can call." onClose={onClose}>
      <ToolForm tool={undefined} onSaved={onMade} onDeleted={onClose} />
    </Sheet>
  );
}

/** One custom tool: its form, a test, and the log of its calls. */
export function ToolSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  // After each save a fresh form: no value that was typed stays in the page.
  const [saves, setSaves] = useState(0);
  return (
    <RecordSheet query={useCustomTool(id)} title={(tool) => tool?.name ?? "Tool"} onClose={onClose}>
      {(tool) => (
        <div className="flex flex-col gap-6">
          <ListedAs name={`custom:${tool.id}`} />
          <ToolForm key={saves} tool={tool} onSaved={() => setSaves(saves + 1)} onDeleted={onClose} />
          <ToolTest tool={tool} />
          <ToolCalls tool={tool} />
        </div>
      )}
    </RecordSheet>
  );
}

function ListedAs({ name }: { readonly name: string }) {
  return (
    <p className="flex items-center gap-2">
      <span className="shrink-0 text-ink-3">Agents list it as</span>
      <span className="truncate font-mono text-mono">{name}</span>
      <CopyButton text={name} label="Copy name for agents" />
    </p>
  );
}
