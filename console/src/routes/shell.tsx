import { Outlet, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, lazy, useMemo, useState } from "react";
import { onWarning } from "../api/client.ts";
import { useAccess, useIdentity, useSession } from "../api/use-session.ts";
import { findWorkspace } from "../lib/workspaces.ts";
import { useScrollKeys } from "../lib/scroll-keys.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { LiveProvider } from "../features/live/live-provider.tsx";
import { useOpenAnswerDrafts } from "../features/questions/answer-draft.ts";
import { useOpenQuestionCount } from "../features/questions/queries.ts";
import { BottomBar } from "../features/shell/bottom-bar.tsx";
import { buttonClass } from "../ui/button.tsx";
import { DialogsContext } from "../ui/dialogs.tsx";
import type { ShellDialog } from "../ui/dialogs.tsx";
import { NAV, navKeys } from "../features/shell/nav.ts";
import { Notices } from "../features/shell/notices.tsx";
import { useQuestionNotifications } from "../features/shell/question-notifications.ts";
import { ShellPart } from "../features/palette/shell-part.tsx";
import { Sidebar } from "../features/shell/sidebar.tsx";
import { useStartAtTop } from "../features/shell/use-start-at-top.ts";
import { useTitleCount } from "../features/shell/title-count.ts";
import { showToast, useMessages } from "../ui/messages.ts";
import { NotFound } from "./problem.tsx";
import { loadPart } from "../lib/load-part.ts";

const NewTask = lazy(() => loadPart(() => import("../features/tasks/new-task.tsx")));
const Removed = lazy(() => loadPart(() => import("../features/shell/removed.tsx")));
const SessionEnded = lazy(() => loadPart(() => import("../features/shell/session-ended.tsx")));
const Toasts = lazy(() => loadPart(() => import("../ui/toast.tsx")));

onWarning(showToast);

/** The id of the element with the screen's content. */
const CONTENT = "content";

/** The frame of the screens of a workspace. */
export function ShellPage() {
  const { workspaces, workspace_id: current } = useAccess();
  const identity = useIdentity();
  const { kind } = useSession();
  const { workspace: name } = useParams({ from: "/w/$workspace" });
  if (kind === "removed") {
    return (
      <Suspense>
        <Removed />
      </Suspense>
    );
  }
  const workspace = findWorkspace(workspaces, name);
  if (workspace === undefined) return <NotFound />;
  // This tab enters another workspace: until its page is loaded, this one would show what is fetched from there.
  if (workspace.id !== current) return null;
  return (
    <LiveProvider key={identity}>
      <Shell name={name} />
    </LiveProvider>
  );
}

function Shell({ name }: { readonly name: string }) {
  const [dialog, setDialog] = useState<ShellDialog>();
  const session = useSession();
  const dialogs = useMemo(() => ({ open: setDialog }), []);
  const { new: opened } = useSearch({ from: "/w/$workspace" });
  const navigate = useNavigate();
  const closeNew = () => void navigate({ to: ".", search: (before) => ({ ...before, new: undefined }) });
  const messages = useMessages();
  useStartAtTop();
  useTitleCount(useOpenQuestionCount());
  useQuestionNotifications(name);
  useOpenAnswerDrafts();
  useShortcuts({
    ...Object.fromEntries(
      NAV.flatMap((item) => {
        const keys = navKeys(item);
        const go = () => void navigate({ to: item.to, params: { workspace: name } });
        return keys === undefined ? [] : [[keys, go]];
      }),
    ),
    c: () => void navigate({ to: ".", search: (before) => ({ ...before, new: "task" as const }) }),
    "?": () => setDialog("keys"),
    "mod+k": () => setDialog("palette"),
    "alt+a": () => setDialog("api"),
  });
  useScrollKeys(CONTENT);
  return (
    <DialogsContext value={dialogs}>
      <a
        href={`#${CONTENT}`}
        className={`${buttonClass({ look: "primary" })} fixed start-2 top-2 z-60 -translate-y-16 focus:translate-y-0`}
      >
        Skip to content
      </a>
      <div className="flex h-dvh max-sm:flex-col print:block print:h-auto">
        <Sidebar onSearch={() => setDialog("palette")} />
        <div className="flex min-h-0 min-w-0 flex-1 flex-col print:block">
          <Notices />
          {/* What gets the focus is scrolled clear of the head above it and of the bar below it, which stay in view. */}
          <main
            id={CONTENT}
            tabIndex={-1}
            className="min-h-0 flex-1 scroll-pt-28 scroll-pb-20 overflow-y-auto short:scroll-pt-0 print:overflow-visible"
          >
            <Outlet />
          </main>
        </div>
        <BottomBar onMore={() => setDialog("palette")} />
      </div>
      {/* One each: while the code of one is loaded, React would hide the others, and take the focus from a form. */}
      <ShellPart dialog={dialog} onClose={() => setDialog(undefined)} />
      <Suspense>{opened === "task" && <NewTask onClose={closeNew} />}</Suspense>
      <Suspense>{messages.length > 0 && <Toasts messages={messages} />}</Suspense>
      <Suspense>{session.kind === "signed-out" && <SessionEnded />}</Suspense>
    </DialogsContext>
  );
}
