/**
 * Names English where the browser's language is none that Intl knows, such as `en-US@posix` of Chrome without a locale:
 * libraries pass it on, and throw.
 */
export function ensureValidLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
  }
}
