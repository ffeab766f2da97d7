/** A key that is a JSON document, such as that of a service account, without its line breaks; others unchanged. */
export function onOneLine(key: string): string {
  if (!key.startsWith("{")) return key;
  try {
    return JSON.stringify(JSON.parse(key));
  } catch (error) {
    if (error instanceof SyntaxError) return key;
    throw error;
  }
}

/** The last characters of a key by which people recognise it; of a service account, those of its key's id. */
export function keyHint(key: string): string {
  const [, named = key] = /"private_key_id":"([^"]+)"/.exec(key) ?? [];
  return named.slice(-4);
}
