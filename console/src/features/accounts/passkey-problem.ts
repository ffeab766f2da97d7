/** Why this browser cannot use passkeys, as a sentence that says what to do; undefined when it can. */
export function passkeyProblem(): string | undefined {
  if (!isSecureContext) {
    return "Browsers use passkeys on https pages only. Ask the operator to serve the console by https.";
  }
  if (typeof PublicKeyCredential === "undefined" || !("parseCreationOptionsFromJSON" in PublicKeyCredential)) {
    return "This browser can't use passkeys. Update it, or use another one.";
  }
  return undefined;
}
