/**
 * A text without those characters at its end, in linear time: a regular expression for it begins again at each of
 * them, which takes the square of their number.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
