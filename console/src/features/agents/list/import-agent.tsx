import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { importAgent } from "#client/gen/operations/export-and-import.ts";
import { call } from "../../../api/client.ts";
import { readImport } from "../../../forms/json-object.ts";
import { asProblem } from "../../../api/problem.ts";
import type { Problem } from "../../../api/problem.ts";
import { useBlockedBy, useWorkspace } from "../../../api/use-session.ts";
import { Button } from "../../../ui/button.tsx";
import { FileButton } from "../../../ui/file-button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { showToast } from "../../../ui/messages.ts";

/** Creates an agent from an export file, and opens it. Issues of the server are shown with their paths in the file. */
export function ImportAgent() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const blockedBy = useBlockedBy("member");
  const client = useQueryClient();
  const navigate = useNavigate();
  const { slug } = useWorkspace();

  async function send(file: File): Promise<void> {
    setBusy(true);
    try {
      const { agents, warnings } = await call(importAgent)(readImport(await file.text()));
      await client.invalidateQueries({ queryKey: ["agents"] });
      const [agent] = agents;
      if (warnings.length > 0) showToast(`Imported without: ${warnings.map(({ message }) => message).join(" ")}`);
      if (agent !== undefined) {
        await navigate({ to: "/w/$workspace/agents/$id", params: { workspace: slug, id: agent.id } });
      }
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <FileButton
        label="File to import"
        accept=".json,application/json"
        isBusy={isBusy}
        blockedBy={blockedBy}
        onFiles={([file]) => file !== undefined && void send(file)}
      >
        Import
      </FileButton>
      <Dialog
        title="The file was not imported"
        description={problem?.message}
        isOpen={problem !== undefined}
        onClose={() => setProblem(undefined)}
      >
        <ul className="flex flex-col gap-1">
          {problem?.details.map(({ path, message }) => (
            <li key={path}>
              {path !== "" && <code className="font-mono text-mono">{path}: </code>}
              {message}
            </li>
          ))}
        </ul>
        <DialogActions>
          <Button onClick={() => setProblem(undefined)}>Close</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
