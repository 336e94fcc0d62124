import type { Endpoint } from '#contract/endpoint.ts';

type Requirement = Record<string, string[]>;

/** Who may make a call, as OpenAPI says it: any of the ways that are listed. */
export function securityOf({ access, keyRight }: Pick<Endpoint, 'access' | 'keyRight'>): Requirement[] {
  const ofPerson: Requirement[] = [{ session: [], csrf: [] }, { identityToken: [] }];
  return [...(access === 'anyone' ? [{}] : []), ...(keyRight !== undefined ? [{ apiKey: [] }] : []), ...ofPerson];
}

/** Any sender, of a call that no group of the reference names. */
export function anySender(): Requirement[] {
  return [{}, { apiKey: [] }, { session: [], csrf: [] }, { identityToken: [] }];
}

export function securitySchemes(): Record<string, unknown> {
  return {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An API key, `lec_…`, made under /keys. The header `x-api-key` and the parameter `apiKey` are the same.',
    },
    identityToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'An identity token, `lid_…`, from `POST /api/identity/token`: acts for its session for an hour.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-lectern_session',
      description: 'The session of a browser. Over plain http the cookie is called lectern_session.',
    },
    csrf: {
      type: 'apiKey',
      in: 'header',
      name: 'x-lectern-csrf',
      description: 'Any value, beside the cookie, on calls that change something.',
    },
  };
}
