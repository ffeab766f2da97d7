/** Returns a task's prompt for its agent: the title and, if present, the description. */
export function taskPrompt({ title, description }: { readonly title: string; readonly description: string }): string {
  if (description === "") return `Task Title: ${title}`;
  return `Task Title: ${title}\n\nTask Description:\n${description}`;
}
