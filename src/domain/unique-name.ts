const MAX_NAME = 100;
/** Room for a number behind a name; names that share this much may be in each other's way. */
const MAX_NUMBER = 8;

/**
 * The first of `name`, `name 2`, `name 3` …, each with the suffix, that is not taken. A name is cut so that everything
 * fits into 100 characters.
 */
export function uniqueName(name: string, taken: ReadonlySet<string>, suffix = ""): string {
  for (let number = 1; ; number += 1) {
    const ending = (number === 1 ? "" : ` ${number}`) + suffix;
    const found = cut(name, MAX_NAME - ending.length) + ending;
    if (!taken.has(found)) return found;
  }
}

/** What every name that {@link uniqueName} may make of this one begins with. */
export function nameStem(name: string, suffix = ""): string {
  return cut(name, MAX_NAME - MAX_NUMBER - suffix.length);
}

function cut(name: string, length: number): string {
  const start = name.slice(0, length);
  // A cut between the halves of a surrogate pair would leave one that cannot be stored.
  return start.isWellFormed() ? start : start.slice(0, -1);
}
