import { Link } from "@tanstack/react-router";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { PlusIcon } from "../../ui/icons.ts";

/** Opens the dialog for a new task on any screen. */
export function NewTaskButton() {
  const blockedBy = useBlockedBy("member");
  if (blockedBy !== undefined) {
    return (
      <Button look="primary" icon={PlusIcon} blockedBy={blockedBy}>
        New task
      </Button>
    );
  }
  return (
    <Link
      to="."
      search={(before) => ({ ...before, new: "task" as const })}
      title="New task (c)"
      className={buttonClass({ look: "primary" })}
    >
      <PlusIcon className="-ms-0.5" />
      New task
    </Link>
  );
}
