import { deleteTool } from "#client/gen/operations/tools.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { RemoveButton } from "../../ui/removal.tsx";
import type { CustomTool } from "./records.ts";

/** The button that deletes a custom tool, once that was confirmed. */
export function DeleteTool({ tool, onDeleted }: { readonly tool: CustomTool; readonly onDeleted: () => void }) {
  const changed = useChanged("tools");
  async function remove(): Promise<void> {
    await call(deleteTool)({ id: tool.id });
    onDeleted();
    await changed();
  }
  return (
    <RemoveButton
      className="me-auto"
      blockedBy={useBlockedBy("admin")}
      removal={{
        title: `Delete the tool ${tool.name}?`,
        action: "Delete tool",
        effect: "The log of its calls is deleted with it. A tool that an agent lists cannot be deleted.",
        remove,
      }}
    />
  );
}
