const [QUOTE, COMMA] = [0x22, 0x2c];
const [OPEN_LIST, OPEN_OBJECT] = [0x5b, 0x7b];

/**
 * Counts the values of a JSON text without parsing it, or a few more: a list of millions of numbers takes hundreds of times its length
 * in memory. Texts are skipped, so that a long one, such as a file, costs nothing. Stops after `limit` values.
 */
export function countJsonValues(json: string, limit: number): number {
  let values = 1;
  for (let at = 0; at < json.length && values <= limit; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) values += 1;
  }
  return values;
}

/** The position of a text's closing quote; the end of the JSON if it has none. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}
