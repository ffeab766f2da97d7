import { createContext, use } from "react";

/** What opens over every screen. */
export type ShellDialog = "palette" | "keys" | "api";

/** Opens what every screen can open. */
export interface Dialogs {
  readonly open: (dialog: ShellDialog) => void;
}

/** Filled by the shell. */
export const DialogsContext = createContext<Dialogs | undefined>(undefined);

/** Opens the palette, the list of keys or the API drawer. */
export function useDialogs(): Dialogs {
  const dialogs = use(DialogsContext);
  if (dialogs === undefined) throw new Error("This needs the shell around it.");
  return dialogs;
}
