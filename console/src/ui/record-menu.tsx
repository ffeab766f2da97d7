import { useState } from "react";
import type { ReactNode } from "react";
import { AT_EDGE, IconButton } from "./button.tsx";
import type { Icon } from "./icon.tsx";
import { MoreIcon } from "./icons.ts";
import { Menu, MenuItem, MenuSeparator } from "./menu.tsx";
import { ConfirmRemoval } from "./removal.tsx";
import type { Removal } from "./removal.tsx";

/** What can be done with a record. The last item deletes it, once that is confirmed. */
export function RecordMenu({
  name,
  blockedBy,
  removal,
  deletion = removal.action,
  icon,
  after,
  children,
}: {
  /** What it is called, where the menu is in its row; absent at the end of the page's title. */
  readonly name?: string;
  /** Why the person may not delete it. */
  readonly blockedBy: string | undefined;
  readonly removal: Removal;
  /** The label of the last item, where it is shorter. */
  readonly deletion?: string;
  /** Its icon, where all items have one. */
  readonly icon?: Icon;
  /** Below the last item. */
  readonly after?: ReactNode;
  readonly children: ReactNode;
}) {
  const [isAsking, setAsking] = useState(false);
  const label = name === undefined ? "More actions" : `Actions for ${name}`;
  return (
    <>
      <Menu trigger={<IconButton label={label} icon={MoreIcon} {...(name === undefined && { className: AT_EDGE })} />}>
        {children}
        <MenuSeparator />
        <MenuItem {...(icon && { icon })} look="danger" blockedBy={blockedBy} onSelect={() => setAsking(true)}>
          {deletion}
        </MenuItem>
        {after}
      </Menu>
      {isAsking && <ConfirmRemoval removal={removal} onClose={() => setAsking(false)} />}
    </>
  );
}
