import { Link, useNavigate } from "@tanstack/react-router";
import { useWorkspace } from "../api/use-session.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { useWayBack } from "../lib/way-back.ts";
import { buttonClass } from "./button.tsx";

/** The list that a record belongs to. */
export interface ParentList {
  readonly to: `/w/$workspace/${"agents" | "destinations" | "runs" | "schedules" | "teams" | "triggers"}`;
  readonly label: string;
}

/**
 * The way from a record to its list: above the title, or as a button where there is no record. Escape leads back to the
 * page before, or to the list when this page was opened first.
 */
export function BackLink({
  to,
  label,
  isButton = false,
  isEscapeTaken = false,
}: ParentList & {
  readonly isButton?: boolean;
  /** The page itself does something with Escape. */
  readonly isEscapeTaken?: boolean;
}) {
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const goBack = useWayBack();
  useShortcuts(isEscapeTaken ? {} : { Escape: () => goBack() || void navigate({ to, params: { workspace: slug } }) });
  return (
    <Link
      to={to}
      params={{ workspace: slug }}
      className={isButton ? buttonClass() : "-my-1 inline-block py-1 hover:text-ink touch:-my-3 touch:py-3"}
    >
      {isButton ? `Go to ${label}` : label}
    </Link>
  );
}
