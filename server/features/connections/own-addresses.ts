/** The two names this installation has among applications, both as they reach it. */
export interface OwnAddress {
  /** Of the authorization server (RFC 8414); no slash at the end. */
  issuer: string;
  /** Of what tokens give access to (RFC 8707): the MCP end point. */
  resource: string;
}

export interface OwnAddresses {
  /** For a request that came for `host` (name and port). */
  at(host: string): OwnAddress;
  /** For what an application calls the resource; the public address for undefined; undefined when it is not ours. */
  ofResource(resource: string | undefined): OwnAddress | undefined;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Applications compare these names with the address they were given, letter by letter. A public address has one; an
 * installation that only this computer reaches is known under each name of the computer.
 */
export function createOwnAddresses(publicUrl: string): OwnAddresses {
  const main = addressOf(publicUrl);
  const url = new URL(publicUrl);
  const isLocal = loopbackNames.includes(url.hostname);
  const all = isLocal ? loopbackNames.map((name) => addressOf(withHostname(url, name))) : [main];
  return {
    at: (host) => all.find(({ issuer }) => new URL(issuer).host === host.toLowerCase()) ?? main,
    ofResource(resource) {
      if (resource === undefined) return main;
      const asked = URL.parse(resource);
      if (asked === null || resource.includes('#')) return undefined;
      return all.find((own) => [own.resource, `${own.resource}/`].includes(asked.href));
    },
  };
}

function addressOf(publicUrl: string): OwnAddress {
  const issuer = new URL(publicUrl).href.replace(/\/+$/, '');
  return { issuer, resource: `${issuer}/mcp` };
}

function withHostname(url: URL, hostname: string): string {
  const copy = new URL(url);
  copy.hostname = hostname;
  return copy.href;
}
