import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { PlusIcon } from "../../ui/icons.tsx";

/** The button that opens the dialog of a tab by its URL; explains why when the role does not suffice. */
export function AddLink({
  to,
  children,
}: {
  readonly to: "/w/$workspace/settings/members" | "/w/$workspace/settings/keys";
  readonly children: string;
}) {
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("admin");
  if (blockedBy !== undefined) {
    return (
      <Button look="primary" icon={PlusIcon} blockedBy={blockedBy}>
        {children}
      </Button>
    );
  }
  return (
    <Link
      to={to}
      params={{ workspace: slug }}
      search={(before) => ({ ...before, add: "yes" as const })}
      className={buttonClass({ look: "primary" })}
    >
      <PlusIcon className="-ms-0.5" />
      {children}
    </Link>
  );
}
