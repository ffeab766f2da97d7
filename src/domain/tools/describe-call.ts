const MAX_ARGUMENTS_SHOWN = 9_000;

/** What people who decide about a call read of it. @param json its arguments; after 9,000 characters they are cut */
export function describeCall(name: string, json: string): string {
  const shown = json.length > MAX_ARGUMENTS_SHOWN ? `${json.slice(0, MAX_ARGUMENTS_SHOWN)} …` : json;
  return `It wants to call ${name} with ${shown || "no arguments"}.`.toWellFormed();
}
