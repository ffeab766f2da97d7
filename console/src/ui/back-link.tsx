import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../api/use-session.ts";
import { buttonClass } from "./button.tsx";

/** The list that a record belongs to. */
export interface ParentList {
  readonly to: `/w/$workspace/${"agents" | "destinations" | "runs" | "schedules" | "teams" | "triggers"}`;
  readonly label: string;
}

/** The way from a record to its list: above the title, or as a button where there is no record. */
export function BackLink({ to, label, isButton = false }: ParentList & { readonly isButton?: boolean }) {
  const { slug } = useWorkspace();
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
