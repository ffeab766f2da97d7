/** What a browser of one person keeps: cookies by origin. */
type Jar = Map<string, Map<string, string>>;

/** The response to a request of a {@link ProviderBrowser}. */
export interface Visited {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
}

/** A browser without pages: it keeps cookies, and follows redirects one by one. */
export interface ProviderBrowser {
  /** Requests one page, without following a redirect. */
  visit(url: string): Promise<Visited>;
  /** Follows redirects until the next one would lead to this path, or none is left. @returns the last URL or target */
  follow(url: string, until: string): Promise<string>;
  /** Keeps the cookies of a response that a script of a page got. */
  keep(url: string, response: Response): void;
  /** The cookies for an origin, as sent. */
  cookiesFor(url: string): string;
}

/** Opens a browser with no cookies. */
export function openProviderBrowser(): ProviderBrowser {
  const jar: Jar = new Map();
  const cookiesFor = (url: string) =>
    [...(jar.get(new URL(url).origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");

  async function visit(url: string): Promise<Visited> {
    const headers = { accept: "text/html", cookie: cookiesFor(url) };
    const response = await fetch(url, { redirect: "manual", headers });
    keep(jar, url, response);
    const target = response.headers.get("location");
    const location = target === null ? undefined : new URL(target, url).href;
    return { url, status: response.status, text: await response.text(), location };
  }

  return {
    cookiesFor,
    keep: (url, response) => keep(jar, url, response),
    visit,
    async follow(url, until) {
      const { location } = await visit(url);
      if (location === undefined) return url;
      return new URL(location).pathname === until ? location : this.follow(location, until);
    },
  };
}

function keep(jar: Jar, url: string, response: Response): void {
  const { origin } = new URL(url);
  const cookies = jar.get(origin) ?? new Map<string, string>();
  for (const line of response.headers.getSetCookie()) {
    const [pair = ""] = line.split(";");
    const [name = "", ...value] = pair.split("=");
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
    else cookies.set(name, value.join("="));
  }
  jar.set(origin, cookies);
}
