import { useRef, useState } from "react";
import { asProblem } from "../../api/problem.ts";
import { randomId } from "../../lib/random-id.ts";

/** A file on its way to the service. */
export interface Sending {
  readonly key: string;
  readonly file: File;
  readonly state: "waiting" | "sending" | "done" | "failed";
  /** The server's message, when it failed. */
  readonly error?: string;
}

/** Files that are sent one after another, a few at the same time. */
export interface Uploads {
  readonly sendings: readonly Sending[];
  readonly isBusy: boolean;
  readonly add: (files: Iterable<File>) => void;
  /** Sends one that failed once more. */
  readonly retry: (key: string) => void;
}

/** More at the same time make none of them faster. */
const MAX_CONCURRENT = 3;

/** Uploads files as they are added. @param send uploads one; its error is shown beside the file */
export function useUploads(send: (file: File) => Promise<void>): Uploads {
  const [sendings, setSendings] = useState<readonly Sending[]>([]);
  const queue = useRef<Sending[]>([]);
  const active = useRef(0);

  function set({ key }: Sending, change: Partial<Sending>): void {
    setSendings((before) => before.map((each) => (each.key === key ? { ...each, ...change } : each)));
  }

  async function work(): Promise<void> {
    const next = queue.current.shift();
    if (next === undefined) return;
    set(next, { state: "sending" });
    try {
      await send(next.file);
      set(next, { state: "done" });
    } catch (error) {
      set(next, { state: "failed", error: asProblem(error).message });
    }
    await work();
  }

  function start(added: readonly Sending[]): void {
    queue.current.push(...added);
    for (let workers = added.length; workers > 0 && active.current < MAX_CONCURRENT; workers--) {
      active.current++;
      void work().finally(() => active.current--);
    }
  }

  return {
    sendings,
    isBusy: sendings.some(({ state }) => state === "waiting" || state === "sending"),
    add(files) {
      const added = [...files].map((file): Sending => ({ key: randomId(), file, state: "waiting" }));
      setSendings((before) => [...before, ...added]);
      start(added);
    },
    retry(key) {
      const failed = sendings.find((each) => each.key === key);
      if (failed === undefined) return;
      set(failed, { state: "waiting" });
      start([failed]);
    },
  };
}
