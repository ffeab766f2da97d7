import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../../api/use-session.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { PlusIcon } from "../../../ui/icons.ts";

/** Leads to the form of a new agent. */
export function NewAgentButton() {
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("member");
  if (blockedBy !== undefined) {
    return (
      <Button look="primary" icon={PlusIcon} blockedBy={blockedBy}>
        New agent
      </Button>
    );
  }
  return (
    <Link to="/w/$workspace/agents/new" params={{ workspace: slug }} className={buttonClass({ look: "primary" })}>
      <PlusIcon className="-ms-0.5" />
      New agent
    </Link>
  );
}
