import { ProxyAgent } from "undici";
import type { Dispatcher } from "undici";
import { createNoProxyRule } from "./no-proxy.ts";

/** The time limit of connecting, to a proxy too, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** The settings that name a proxy. */
export type ProxySetting = "HTTP_PROXY" | "HTTPS_PROXY";

/** The proxies of a process, as its settings name them. */
export interface ProxySettings {
  /** The proxy of http URLs; with its user name and password, if it wants any. */
  readonly http?: string | undefined;
  /** The proxy of https URLs; that of http by default. */
  readonly https?: string | undefined;
  /** The hosts that are reached without a proxy: see `createNoProxyRule`. */
  readonly except?: string | undefined;
}

/** The proxy of a request. */
export interface Proxy {
  /** The setting that names it. */
  readonly setting: ProxySetting;
  /** Whether its URL has a user name. */
  readonly hasUser: boolean;
  readonly dispatcher: Dispatcher;
}

/** The way out of this process. */
export interface Proxies {
  /** The proxy of a URL; undefined for one that is reached directly. */
  find(url: URL): Proxy | undefined;
  /** Sends requests through their proxy: for `compose` of the dispatcher that connects directly. */
  readonly intercept: Dispatcher.DispatcherComposeInterceptor;
}

/**
 * Creates the way out through proxies: https by a tunnel (CONNECT), http by a request with the whole URL (RFC 9112,
 * section 3.2.2). A proxy resolves the names of its targets itself, so guarded requests check them before.
 */
export function createProxies({ http, https, except = "" }: ProxySettings): Proxies {
  const isDirect = createNoProxyRule(except);
  const ofHttp = toProxy("HTTP_PROXY", http);
  const ofHttps = https === undefined ? ofHttp : toProxy("HTTPS_PROXY", https);
  const proxies: Readonly<Record<string, Proxy | undefined>> = { "http:": ofHttp, "https:": ofHttps };

  function find(url: URL): Proxy | undefined {
    const proxy = proxies[url.protocol];
    return proxy === undefined || isDirect(url) ? undefined : proxy;
  }
  return {
    find,
    intercept: (dispatch) => (options, handler) => {
      const proxy = options.origin === undefined ? undefined : find(new URL(options.origin));
      return proxy === undefined ? dispatch(options, handler) : proxy.dispatcher.dispatch(options, handler);
    },
  };
}

/** No proxies: everything is reached directly. */
export const NO_PROXIES = createProxies({});

function toProxy(setting: ProxySetting, uri: string | undefined): Proxy | undefined {
  if (uri === undefined) return undefined;
  const dispatcher = new ProxyAgent({ uri, connectTimeout: CONNECT_TIMEOUT_MS });
  return { setting, hasUser: new URL(uri).username !== "", dispatcher };
}
