/** The part of trusted types that is used here; browsers without them have no such object. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

declare global {
  var trustedTypes: TrustedTypes | undefined;
}

const policy = globalThis.trustedTypes?.createPolicy("muster", { createScriptURL: (url) => url });

/** The URL of a script of the console, as the page's policy accepts it. Its callers pass URLs of the build only. */
export function trustedScript(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}
