import { Link } from "@tanstack/react-router";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { PlusIcon } from "../../ui/icons.tsx";

/** Opens the form for a new schedule or trigger, in the list that the page shows. */
export function NewPlanned({ children }: { readonly children: string }) {
  const blockedBy = useBlockedBy("member");
  if (blockedBy !== undefined) {
    return (
      <Button look="primary" icon={PlusIcon} blockedBy={blockedBy}>
        {children}
      </Button>
    );
  }
  return (
    <Link
      to="."
      search={(before) => ({ ...before, edit: "yes" as const })}
      className={buttonClass({ look: "primary" })}
    >
      <PlusIcon className="-ms-0.5" />
      {children}
    </Link>
  );
}
