import { UnreadableSecretError } from "./secret-box.ts";
import type { SecretBox } from "./secret-box.ts";

/** A generation of data keys. */
export interface Generation {
  readonly number: number;
  readonly box: SecretBox;
  /** An inactive one only decrypts: not every process knows it yet. */
  readonly isActive: boolean;
}

/** What a ring holds. */
export interface RingState {
  /** The fingerprint of the encryption key that unwraps the data keys. */
  readonly fingerprint: string;
  /** All living generations, one of them active. */
  readonly generations: readonly Generation[];
}

/** The data keys of an instance; a box whose keys can change. */
export interface SecretRing extends SecretBox {
  /** The newest generation. */
  readonly newest: number;
  /** The newest active generation, which encrypts. */
  readonly current: number;
  /** Replaces the generations. */
  hold(state: RingState): void;
}

/**
 * Creates a ring. A secret names its generation before a dot; one without a name is of generation 0, whose key is the
 * encryption key of the first start.
 */
export function createSecretRing(initial: RingState): SecretRing {
  let held = arrange(initial);
  return {
    encrypt(plaintext, context) {
      const { number, box } = held.current;
      const encrypted = box.encrypt(plaintext, context);
      return number === 0 ? encrypted : `${number}.${encrypted}`;
    },
    open(encrypted, context) {
      const dot = encrypted.indexOf(".");
      const number = dot === -1 ? 0 : Number(encrypted.slice(0, dot));
      const box = held.boxes.get(number);
      if (box === undefined) throw new UnreadableSecretError({ cause: new Error(`There is no data key ${number}.`) });
      return box.open(encrypted.slice(dot + 1), context);
    },
    derive: (purpose) => held.current.box.derive(purpose),
    deriveAll: (purpose) => [...held.boxes.values()].map((box) => box.derive(purpose)),
    get fingerprint() {
      return held.fingerprint;
    },
    get newest() {
      return held.newest;
    },
    get current() {
      return held.current.number;
    },
    hold(state) {
      held = arrange(state);
    },
  };
}

function arrange({ fingerprint, generations }: RingState) {
  const newestFirst = generations.toSorted((a, b) => b.number - a.number);
  const [newest] = newestFirst;
  const current = newestFirst.find(({ isActive }) => isActive);
  if (newest === undefined || current === undefined) throw new Error("One generation is always active.");
  const boxes = new Map(newestFirst.map(({ number, box }) => [number, box]));
  return { fingerprint, newest: newest.number, current, boxes };
}
