import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { socialProviders } from './identity.ts';

export const accountDetailEndpoints = {
  getAccountDetails: endpoint({
    method: 'GET',
    path: '/api/identity/details',
    summary: 'What only the account screen shows: the consent to updates and the connected sign-in methods.',
    input: z.object({}),
    output: z.object({
      hasMarketingConsent: z.boolean(),
      providers: z.array(z.object({ provider: z.enum(socialProviders), connectedAt: z.int() })),
    }),
  }),
};
