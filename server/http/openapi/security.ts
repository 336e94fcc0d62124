import type { Endpoint } from '#contract/endpoint.ts';

type Requirement = Record<string, string[]>;

/** Returns the accepted authentication methods of a call as OpenAPI alternatives. */
export function securityOf({ access, keyRight }: Pick<Endpoint, 'access' | 'keyRight'>): Requirement[] {
  const ofPerson: Requirement[] = [{ session: [], csrf: [] }, { identityToken: [] }];
  return [...(access === 'anyone' ? [{}] : []), ...(keyRight !== undefined ? [{ apiKey: [] }] : []), ...ofPerson];
}

/** Returns the requirements of a call that is open to any sender and in no reference group. */
export function anySender(): Requirement[] {
  return [{}, { apiKey: [] }, { session: [], csrf: [] }, { identityToken: [] }];
}

export function securitySchemes(): Record<string, unknown> {
  return {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An API key, `lec_…`, created at /keys. The header `x-api-key` and the parameter `apiKey` are the same.',
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
      description: 'Any value; required with the cookie on calls that change something.',
    },
  };
}
