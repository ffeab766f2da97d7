import { formatDuration } from "../terminal/format.ts";
import type { Output } from "../terminal/output.ts";

const TICK_MS = 100;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;

/** The last line of a terminal while something is awaited: what it is, and for how long. */
export interface Activity {
  /** Says what is awaited from now on; undefined: nothing. */
  set(what: string | undefined): void;
  /** Stops drawing. */
  close(): void;
}

/** Draws what is awaited, on a terminal only. */
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
