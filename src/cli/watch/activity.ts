import { formatDuration } from "../terminal/format.ts";
import type { Output } from "../terminal/output.ts";

const TICK_MS = 100;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;

/** The status line of a terminal during a wait: its reason and its duration. */
export interface Activity {
  /** Sets the reason of the wait; undefined for none. */
  set(what: string | undefined): void;
  /** Stops drawing. */
  close(): void;
}

/** Creates the status line of waits; it is shown on a terminal only. */
export function createActivity(out: Output): Activity {
  let since = performance.now();
  let shown: string | undefined;
  let frame = 0;
  const draw = () => {
    frame = (frame + 1) % FRAMES.length;
    if (shown !== undefined) out.status(`${FRAMES[frame]} ${shown} · ${formatDuration(performance.now() - since)}`);
  };
  const timer = setInterval(draw, TICK_MS).unref();
  return {
    set(what) {
      since = performance.now();
      shown = what;
      if (what === undefined) out.status(undefined);
    },
    close() {
      clearInterval(timer);
      shown = undefined;
      out.status(undefined);
    },
  };
}
