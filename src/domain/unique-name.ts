const MAX_NAME = 100;
/** Space for a number after a name; names with the same start may collide. */
const MAX_NUMBER = 8;

/**
 * Returns the first of `name`, `name 2`, `name 3` …, each with the suffix, that is not taken. The name is cut so that
 * the whole fits into 100 characters.
 */
export function uniqueName(name: string, taken: ReadonlySet<string>, suffix = ""): string {
  for (let number = 1; ; number += 1) {
    const ending = (number === 1 ? "" : ` ${number}`) + suffix;
    const found = cut(name, MAX_NAME - ending.length) + ending;
    if (!taken.has(found)) return found;
  }
}

/** Returns the common start of all names that {@link uniqueName} may create from this one. */
export function nameStem(name: string, suffix = ""): string {
  return cut(name, MAX_NAME - MAX_NUMBER - suffix.length);
}

function cut(name: string, length: number): string {
  const start = name.slice(0, length);
  // A cut inside a surrogate pair would leave half of it, which cannot be stored.
  return start.isWellFormed() ? start : start.slice(0, -1);
}
