/** A task as it is put to an agent: its title and, where there is one, its description. */
export function taskPrompt({ title, description }: { readonly title: string; readonly description: string }): string {
  if (description === "") return `Task Title: ${title}`;
  return `Task Title: ${title}\n\nTask Description:\n${description}`;
}
