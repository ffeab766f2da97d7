import { createHash } from "node:crypto";

/** Decisions by chance that can be made again: dice of the same name fall the same way, whatever else was decided. */
export interface Dice {
  /** Dice for one matter of those that these are about, independent of all others. */
  of(matter: string): Dice;
  /** A number from `least` up to `end`, without `end` itself. */
  between(least: number, end: number): number;
  /** A whole number, both ends among them. */
  whole(least: number, most: number): number;
  /** Whether something happens whose share of all cases is this, from 0 to 1. */
  chance(share: number): boolean;
  /** One of these. */
  pick<T>(list: readonly [T, ...T[]]): T;
}

const FACES = 2 ** 32;

/** Creates the dice of a name; the same name always decides the same. */
export function createDice(name: string): Dice {
  let rolls = 0;

  /** From 0 up to 1. */
  function roll(): number {
    const hash = createHash("sha256").update(`${name} #${rolls++}`).digest();
    return hash.readUInt32BE() / FACES;
  }
  const between = (least: number, end: number) => least + roll() * (end - least);
  const whole = (least: number, most: number) => Math.floor(between(least, most + 1));

  return {
    of: (matter) => createDice(`${name} / ${matter}`),
    between,
    whole,
    chance: (share) => roll() < share,
    pick: (list) => list[whole(0, list.length - 1)] ?? list[0],
  };
}

/** One of a list; undefined when it is empty. */
export function oneOf<T>(list: readonly T[], dice: Dice): T | undefined {
  return list[dice.whole(0, list.length - 1)];
}
