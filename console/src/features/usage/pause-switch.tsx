import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, read } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { PauseIcon, PlayIcon } from "../../ui/icons.tsx";
import { showToast } from "../../ui/messages.ts";
import { useWorkspaceRecord } from "./queries.ts";

/** Pauses or resumes the start of new runs. Started runs continue. */
export function PauseSwitch() {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("admin");
  const { data } = useWorkspaceRecord();
  const [isBusy, setBusy] = useState(false);
  async function change(paused: boolean): Promise<void> {
    setBusy(true);
    try {
      client.setQueryData(["workspace"], await read(api.PATCH("/console/api/workspace", { body: { paused } })));
    } catch (error) {
      showToast(asProblem(error).message);
    } finally {
      setBusy(false);
    }
  }
  // The layout reserves its space, so that nothing moves when the workspace is loaded.
  const isPaused = data?.paused === true;
  return (
    <Button
      icon={isPaused ? PlayIcon : PauseIcon}
      isBusy={isBusy}
      blockedBy={blockedBy}
      disabled={data === undefined}
      onClick={() => void change(!isPaused)}
    >
      {isPaused ? "Resume new work" : "Pause new work"}
    </Button>
  );
}
