/** How much text of a run may be unwritten before its providers are no longer read, in bytes. */
const MAX_UNWRITTEN_BYTES = 1_048_576;

/** The streamed text of a run that is not stored yet, of all its concurrent calls together. */
export interface Backlog {
  add(bytes: number): void;
  /** Call it with the bytes of text that is stored, or never will be. */
  remove(bytes: number): void;
  /** While there is too much text: resolves when there is room again. */
  room(): Promise<void> | undefined;
}

/** Creates the empty backlog of a run. */
export function createBacklog(): Backlog {
  let unwritten = 0;
  let waiting: PromiseWithResolvers<void> | undefined;
  return {
    add: (bytes) => void (unwritten += bytes),
    remove(bytes) {
      unwritten -= bytes;
      if (unwritten > MAX_UNWRITTEN_BYTES) return;
      waiting?.resolve();
      waiting = undefined;
    },
    room() {
      if (unwritten <= MAX_UNWRITTEN_BYTES) return undefined;
      return (waiting ??= Promise.withResolvers()).promise;
    },
  };
}
