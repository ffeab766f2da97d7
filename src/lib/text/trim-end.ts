/**
 * Removes these characters from the end of a text in linear time; a regular expression would retry at each of them, in
 * quadratic time.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
