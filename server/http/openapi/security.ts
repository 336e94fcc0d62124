import type { KeyRight } from '#contract/endpoint.ts';

/** Calls that visitors may make: what they answer is public, or they are the way to become someone. */
const forVisitors = new Set([
  ...['search', 'read', 'trySearch', 'getShowcase', 'listModules', 'listJobs', 'getJob', 'getJobLog', 'listProbes'],
  ...[
    'getSession',
    'redeemSignInLink',
    'signOut',
    'getSignInMethods',
    'findSignOn',
    'signInWithEmail',
    'signUpWithEmail',
  ],
  ...[
    'sendPasswordReset',
    'verifyResetCode',
    'confirmReset',
    'applyVerificationCode',
    'disownAddress',
    'describeInvite',
  ],
  ...['getSite', 'getFlags', 'reportBrowserError', 'searchProductDocs', 'describeInterface', 'environment'],
  ...['streamLive', 'pollLive', 'getHealth', 'askDocs'],
  ...[
    'getStatus',
    'getStatusHistory',
    'getStatusLatency',
    'listIncidents',
    'showDocument',
    'describeChat',
    'documentMarkdown',
    'listModulePages',
    'getAgentSurface',
    'signUpForConf',
    'confirmConf',
    'leaveConf',
  ],
]);

/** Calls in which every API key counts, beside those that ask for a right; what is private asks for a person otherwise. */
const forKeys = new Set([
  ...['search', 'read', 'listModules', 'listJobs', 'getJob', 'getJobLog', 'listProbes'],
  ...['getCreditInfo', 'getMonthlyUsage'],
]);

/** Returns true if visitors may make a call; every other one is for people who are signed in, and for what they let in. */
export function isForVisitors(name: string): boolean {
  return forVisitors.has(name);
}

/** Returns true if a key may make a call that asks for no right. */
export function isForKeys(name: string): boolean {
  return forKeys.has(name) || forVisitors.has(name);
}

type Requirement = Record<string, string[]>;

/** Who may make a call, as OpenAPI says it: any of the ways that are listed. */
export function securityOf(name: string, keyRight?: KeyRight): Requirement[] {
  const ofPerson: Requirement[] = [{ session: [], csrf: [] }, { identityToken: [] }];
  return [
    ...(isForVisitors(name) ? [{}] : []),
    ...(forKeys.has(name) || keyRight !== undefined ? [{ apiKey: [] }] : []),
    ...ofPerson,
  ];
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
