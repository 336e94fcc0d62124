import { accountDetailEndpoints } from './account-details.ts';
import { accountEndpoints } from './accounts.ts';
import { agentSurfaceEndpoints } from './agent-surface.ts';
import { auditEndpoints } from './audit.ts';
import { billingAdministration, billingEndpoints, teamBillingEndpoints } from './billing.ts';
import { chatEndpoints } from './chat.ts';
import { confEndpoints } from './conf.ts';
import { connectionEndpoints } from './connections.ts';
import { creditEndpoints } from './credits.ts';
import { documentEndpoints } from './documents.ts';
import type { Endpoint } from './endpoint.ts';
import { hostingEndpoints } from './hosting.ts';
import { identityEndpoints } from './identity.ts';
import { indexRequestEndpoints } from './index-requests.ts';
import { insightEndpoints } from './insights.ts';
import { keyEndpoints } from './keys.ts';
import { libraryEndpoints } from './library.ts';
import { liveEndpoints } from './live.ts';
import { operatorEndpoints } from './operator.ts';
import { outboxEndpoints } from './outbox.ts';
import { pdfSetEndpoints } from './pdf-sets.ts';
import { probeEndpoints } from './probes.ts';
import { productDocsEndpoints } from './product-docs.ts';
import { profileEndpoints } from './profile.ts';
import { repositoryEndpoints } from './repositories.ts';
import { searchEndpoints } from './search.ts';
import { signOnEndpoints } from './sign-on.ts';
import { siteEndpoints } from './site.ts';
import { sourceCredentialEndpoints } from './source-credentials.ts';
import { statusEndpoints } from './status.ts';
import { teamAdministration, teamEndpoints } from './teams.ts';
import { testBillingEndpoints } from './test-billing.ts';
import { trySearchEndpoints } from './try-search.ts';

/** Calls that belong together, as the reference shows them. */
export interface EndpointGroup {
  /** Names its page: `/docs/reference/rest/{slug}`. */
  slug: string;
  title: string;
  /** One or two sentences for people. */
  about: string;
  /** By the name of the operation. */
  endpoints: Record<string, Endpoint>;
}

const { listRepositories: listAvailableRepositories, ...otherHostingEndpoints } = hostingEndpoints;

/** Every endpoint of the contract, once. */
export const endpointGroups: readonly EndpointGroup[] = [
  {
    slug: 'search',
    title: 'Search and read',
    about: 'What the two tools of agents do, for programs: passages for a question, and a page as Markdown.',
    endpoints: { ...searchEndpoints, ...trySearchEndpoints },
  },
  {
    slug: 'documents',
    title: 'Pages as agents get them',
    about: 'An indexed page with its passages, and what a question would cut it to.',
    endpoints: documentEndpoints,
  },
  {
    slug: 'chat',
    title: 'Chat',
    about:
      'Conversations that are kept. A question itself is sent to POST /api/chat, which answers a line of JSON for each event.',
    endpoints: chatEndpoints,
  },
  {
    slug: 'library',
    title: 'Modules and runs',
    about: 'Index a source, follow its runs, refresh or remove what it became.',
    endpoints: { ...libraryEndpoints, ...probeEndpoints },
  },
  {
    slug: 'index-requests',
    title: 'Agent requests',
    about: 'Sources that agents ask for, and what people decide about them.',
    endpoints: indexRequestEndpoints,
  },
  {
    slug: 'repositories',
    title: 'Repositories',
    about: 'Git repositories by their address, and those of a connected GitHub account.',
    endpoints: { ...repositoryEndpoints, ...otherHostingEndpoints, listAvailableRepositories },
  },
  {
    slug: 'profiles',
    title: 'Projects',
    about: 'What a project depends on, so that its searches look into these versions.',
    endpoints: profileEndpoints,
  },
  {
    slug: 'pdf-sets',
    title: 'PDF sets',
    about: 'Upload PDF files in parts, keep them in sets and index these.',
    endpoints: pdfSetEndpoints,
  },
  {
    slug: 'source-credentials',
    title: 'Source credentials',
    about: 'What lets the crawler or git into one host. A secret is never shown again.',
    endpoints: sourceCredentialEndpoints,
  },
  {
    slug: 'keys',
    title: 'API keys',
    about: 'Make, show and revoke the keys that agents send.',
    endpoints: keyEndpoints,
  },
  {
    slug: 'connections',
    title: 'Applications',
    about: 'Applications that act for you without a key: let one in, list them, end their access.',
    endpoints: connectionEndpoints,
  },
  {
    slug: 'credits',
    title: 'Credits and activity',
    about: 'What is left, what was used, every row of the ledger, and what agents asked.',
    endpoints: { ...creditEndpoints, ...insightEndpoints },
  },
  {
    slug: 'billing',
    title: 'Billing',
    about: 'The plan of a person: choose, change, cancel, buy credits.',
    endpoints: billingEndpoints,
  },
  {
    slug: 'teams',
    title: 'Teams',
    about: 'Teams, members and invites, the audit log, and the plan of a team.',
    endpoints: { ...teamEndpoints, ...auditEndpoints, ...teamBillingEndpoints },
  },
  {
    slug: 'team-administration',
    title: 'Team administration',
    about:
      'The calls under `/admin`. Success is `{"success": true, …}`, an error is `{"success": false, "error", "code"}`.',
    endpoints: { ...teamAdministration, ...billingAdministration },
  },
  {
    slug: 'conference',
    title: 'Conference',
    about: 'Sign-up for the online gathering by e-mail, and its list for the operator.',
    endpoints: confEndpoints,
  },
  {
    slug: 'sign-on',
    title: 'Single sign-on',
    about: 'The provider of identities of a team and the domain it has proved.',
    endpoints: signOnEndpoints,
  },
  {
    slug: 'identity',
    title: 'Accounts and sessions',
    about: 'Sign up and in, verify an address, reset a password, see and end sessions.',
    endpoints: { ...accountEndpoints, ...identityEndpoints, ...accountDetailEndpoints },
  },
  {
    slug: 'installation',
    title: 'This installation',
    about: 'What an installation says of itself, changes as they happen, its documentation and its outbox.',
    endpoints: {
      ...siteEndpoints,
      ...agentSurfaceEndpoints,
      ...productDocsEndpoints,
      ...liveEndpoints,
      ...outboxEndpoints,
    },
  },
  {
    slug: 'operator',
    title: 'For the operator',
    about: 'Accounts, the audit log and the settings of the installation, for its operators.',
    endpoints: operatorEndpoints,
  },
  {
    slug: 'status',
    title: 'Status',
    about: 'The installation’s state, from checks and real calls, and the operator’s incident reports.',
    endpoints: statusEndpoints,
  },
  {
    slug: 'test-billing',
    title: 'Test mode of payments',
    about: 'The payment page and portal of an installation without a payment provider. No money moves.',
    endpoints: testBillingEndpoints,
  },
];
