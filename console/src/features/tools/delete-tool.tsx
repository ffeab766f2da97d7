import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteTool } from "#client/gen/operations/tools.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import type { CustomTool } from "./records.ts";

/** The button that deletes a custom tool, once that was confirmed. */
export function DeleteTool({ tool, onDeleted }: { readonly tool: CustomTool; readonly onDeleted: () => void }) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("admin");
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look="danger" className="me-auto" blockedBy={blockedBy} onClick={() => setAsking(true)}>
        Delete tool
      </Button>
      {isAsking && (
        <Confirm
          title={`Delete the tool ${tool.name}?`}
          action="Delete tool"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await call(deleteTool)({ id: tool.id });
            onDeleted();
            await client.invalidateQueries({ queryKey: ["tools", "custom"] });
          }}
        >
          <p>The log of its calls is deleted with it. A tool that an agent lists cannot be deleted.</p>
        </Confirm>
      )}
    </>
  );
}
