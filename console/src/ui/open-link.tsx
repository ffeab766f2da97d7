import { Link } from "@tanstack/react-router";
import { useBlockedBy } from "../api/use-session.ts";
import { Button, buttonClass } from "./button.tsx";
import type { ButtonLook } from "./button.tsx";
import { PlusIcon } from "./icons.ts";

/** The button that opens a form over the page, by its URL; explains why when the role does not suffice. */
export function OpenLink({
  needs,
  search,
  look = "primary",
  children,
}: {
  /** The least role for it. */
  readonly needs: Parameters<typeof useBlockedBy>[0];
  /** What opens the form. */
  readonly search: Readonly<Record<string, string | undefined>>;
  readonly look?: ButtonLook["look"];
  readonly children: string;
}) {
  const blockedBy = useBlockedBy(needs);
  if (blockedBy !== undefined) {
    return (
      <Button look={look} {...(look === "primary" && { icon: PlusIcon })} blockedBy={blockedBy}>
        {children}
      </Button>
    );
  }
  return (
    <Link to="." search={(before) => ({ ...before, ...search })} className={buttonClass({ look })}>
      {look === "primary" && <PlusIcon className="-ms-0.5" />}
      {children}
    </Link>
  );
}
