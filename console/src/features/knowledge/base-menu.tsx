import { useQueryClient } from "@tanstack/react-query";

import { useState } from "react";
import { deleteKnowledgeBase } from "#client/gen/operations/knowledge.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { plural } from "../../lib/format.ts";
import { usePageNavigate } from "../../lib/use-page-navigate.ts";
import { AT_EDGE, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { copyText } from "../../ui/copy.tsx";
import { CopyIcon } from "../../ui/icon.tsx";
import { MoreIcon } from "../../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { BaseDialog } from "./base-dialog.tsx";
import type { KnowledgeBase } from "./queries.ts";

/** What can be done with the knowledge base that is open. */
export function BaseMenu({ base }: { readonly base: KnowledgeBase }) {
  const [open, setOpen] = useState<"edit" | "delete">();
  const client = useQueryClient();
  const navigate = usePageNavigate({ from: "/w/$workspace/knowledge" });
  const blockedBy = useBlockedBy("member");
  const close = () => setOpen(undefined);

  async function remove(): Promise<void> {
    await call(deleteKnowledgeBase)({ id: base.id });
    await navigate({ search: {} });
    await Promise.all(["knowledge-bases", "documents"].map((key) => client.invalidateQueries({ queryKey: [key] })));
  }

  return (
    <>
      <Menu trigger={<IconButton label="More actions" icon={MoreIcon} className={AT_EDGE} />}>
        <MenuItem blockedBy={blockedBy} onSelect={() => setOpen("edit")}>
          Edit knowledge base
        </MenuItem>
        <MenuItem icon={CopyIcon} onSelect={() => void copyText(base.id)}>
          Copy id
        </MenuItem>
        <MenuSeparator />
        <MenuItem look="danger" blockedBy={blockedBy} onSelect={() => setOpen("delete")}>
          Delete knowledge base
        </MenuItem>
      </Menu>
      {open === "edit" && <BaseDialog base={base} onClose={close} onSaved={close} />}
      {open === "delete" && (
        <Confirm
          title={`Delete the knowledge base "${base.name}"?`}
          action="Delete knowledge base"
          onConfirm={remove}
          onClose={close}
        >
          <p>{plural(base.documents, "document")} with all passages and originals go with it.</p>
        </Confirm>
      )}
    </>
  );
}
