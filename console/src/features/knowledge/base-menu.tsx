import { useState } from "react";
import { deleteKnowledgeBase } from "#client/gen/operations/knowledge.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { plural } from "../../lib/format.ts";
import { usePageNavigate } from "../../lib/use-page-navigate.ts";
import { copyText } from "../../ui/copy.tsx";
import { CopyIcon } from "../../ui/icon.tsx";
import { MenuItem } from "../../ui/menu.tsx";
import { RecordMenu } from "../../ui/record-menu.tsx";
import { BaseDialog } from "./base-dialog.tsx";
import type { KnowledgeBase } from "./queries.ts";

/** What can be done with the knowledge base that is open. */
export function BaseMenu({ base }: { readonly base: KnowledgeBase }) {
  const [isEditing, setEditing] = useState(false);
  const changed = useChanged("knowledge-bases", "documents");
  const navigate = usePageNavigate({ from: "/w/$workspace/knowledge" });
  const blockedBy = useBlockedBy("member");
  const close = () => setEditing(false);

  async function remove(): Promise<void> {
    await call(deleteKnowledgeBase)({ id: base.id });
    await navigate({ search: {} });
    await changed();
  }

  return (
    <>
      <RecordMenu
        blockedBy={blockedBy}
        removal={{
          title: `Delete the knowledge base "${base.name}"?`,
          action: "Delete knowledge base",
          effect: `${plural(base.documents, "document")} with all passages and originals go with it.`,
          remove,
        }}
      >
        <MenuItem blockedBy={blockedBy} onSelect={() => setEditing(true)}>
          Edit knowledge base
        </MenuItem>
        <MenuItem icon={CopyIcon} onSelect={() => void copyText(base.id)}>
          Copy id
        </MenuItem>
      </RecordMenu>
      {isEditing && <BaseDialog base={base} onClose={close} onSaved={close} />}
    </>
  );
}
