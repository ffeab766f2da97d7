const MAX_NAMED = 5;

/** Names some of many things, and counts the others. */
export function someOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return more > 0 ? `${names.slice(0, MAX_NAMED).join(", ")} and ${more} more` : names.join(", ");
}
