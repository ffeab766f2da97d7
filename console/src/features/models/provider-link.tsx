import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";

/** A link to where a provider is connected. */
export function ProviderLink({
  provider,
  title,
  isMark = false,
  children,
}: {
  readonly provider: string;
  readonly title?: string;
  /** An icon in a row, above the link that fills the row. */
  readonly isMark?: boolean;
  readonly children: ReactNode;
}) {
  const { slug } = useWorkspace();
  // The dialog of the key is for those who may set it.
  const opens = useBlockedBy("admin") === undefined;
  return (
    <Link
      to="/w/$workspace/settings/models"
      params={{ workspace: slug }}
      search={opens ? { provider } : {}}
      title={title}
      className={
        isMark
          ? "relative z-10 -my-1 inline-flex size-6 shrink-0 items-center justify-center text-waiting"
          : "font-medium underline underline-offset-2"
      }
    >
      {children}
    </Link>
  );
}
