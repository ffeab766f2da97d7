import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { ROW_LINK } from "../../ui/table.tsx";
import { NEW_SAVED } from "./search.ts";

type SavedTab = "/w/$workspace/settings/voices" | "/w/$workspace/settings/templates";

/** The name of a saved one in its row; opens it. */
export function SavedName({ to, id, name }: { readonly to: SavedTab; readonly id: string; readonly name: string }) {
  const { slug } = useWorkspace();
  return (
    <Link to={to} params={{ workspace: slug }} search={{ open: id }} data-row dir="auto" className={ROW_LINK}>
      {visibleText(name)}
    </Link>
  );
}

/** The button that opens the form of a new record; explains why when the role does not suffice. */
export function NewSaved({ to, children }: { readonly to: SavedTab; readonly children: string }) {
  const { slug } = useWorkspace();
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
      to={to}
      params={{ workspace: slug }}
      search={{ open: NEW_SAVED }}
      className={buttonClass({ look: "primary" })}
    >
      <PlusIcon className="-ms-0.5" />
      {children}
    </Link>
  );
}
