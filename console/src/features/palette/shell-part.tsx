import { Suspense, lazy, useState } from "react";
import { loadPart } from "../../lib/load-part.ts";
import type { ShellDialog } from "../../ui/dialogs.tsx";
import { TypedAhead } from "./typed-ahead.tsx";

const Palette = lazy(() => loadPart(() => import("./palette.tsx")));
const PARTS = {
  keys: lazy(() => loadPart(() => import("../shell/keys-dialog.tsx"))),
  api: lazy(() => loadPart(() => import("../api-drawer/drawer.tsx"))),
} as const;

/** What opens over every screen. What is typed while the palette is loaded is its first text. */
export function ShellPart({
  dialog,
  onClose,
}: {
  readonly dialog: ShellDialog | undefined;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState("");
  function close(): void {
    setTyped("");
    onClose();
  }
  if (dialog === undefined) return null;
  if (dialog === "palette") {
    return (
      <Suspense fallback={<TypedAhead text={typed} onText={setTyped} onClose={close} />}>
        <Palette begin={typed} onClose={close} />
      </Suspense>
    );
  }
  const Part = PARTS[dialog];
  return (
    <Suspense>
      <Part onClose={close} />
    </Suspense>
  );
}
