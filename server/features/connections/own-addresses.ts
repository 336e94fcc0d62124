/** The installation's two OAuth identifiers, as applications reach it. */
export interface OwnAddress {
  /** Identifier of the authorization server (RFC 8414), without trailing slash. */
  issuer: string;
  /** Identifier of the resource that tokens give access to (RFC 8707): the MCP endpoint. */
  resource: string;
}

export interface OwnAddresses {
  /** Returns the address for a request to `host` (name and port). */
  at(host: string): OwnAddress;
  /**
   * Returns the address for a resource parameter; the public address for undefined, and undefined for foreign
   * resources.
   */
  ofResource(resource: string | undefined): OwnAddress | undefined;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Creates the addresses. Applications compare them with the given address character by character. A public installation
 * has one; an installation that only this computer reaches has one for each name of the computer.
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
