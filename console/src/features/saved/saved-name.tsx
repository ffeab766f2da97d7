import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { ROW_LINK } from "../../ui/row-link.ts";

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
