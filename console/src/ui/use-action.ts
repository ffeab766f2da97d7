import { useState } from "react";
import { showFailure } from "./messages.ts";

/** A button's work: while it is in progress the button is busy; what it throws is shown as a message. */
export function useAction(work: () => Promise<void>): { readonly act: () => void; readonly isBusy: boolean } {
  const [isBusy, setBusy] = useState(false);
  function act(): void {
    setBusy(true);
    void work()
      .catch(showFailure)
      .finally(() => setBusy(false));
  }
  return { act, isBusy };
}
