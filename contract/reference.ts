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
import { installationAuditEndpoints, operatorEndpoints } from './operator.ts';
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

/** Related calls, grouped as in the reference. */
export interface EndpointGroup {
  /** Path segment of its page: `/docs/reference/rest/{slug}`. */
  slug: string;
  title: string;
  /** One or two sentences for people. */
  about: string;
  /** By operation name. */
  endpoints: Record<string, Endpoint>;
}

const { listRepositories: listAvailableRepositories, ...otherHostingEndpoints } = hostingEndpoints;

/** All endpoints of the contract, each once. */
export const endpointGroups: readonly EndpointGroup[] = [
  {
    slug: 'search',
    title: 'Search and read',
    about: 'The agents’ two tools for programs: passages for a question, and a page as Markdown.',
    endpoints: { ...searchEndpoints, ...trySearchEndpoints },
  },
  {
    slug: 'documents',
    title: 'Pages as agents get them',
    about: 'An indexed page with its passages, and the part of it that a read would send for a question.',
    endpoints: documentEndpoints,
  },
  {
    slug: 'chat',
    title: 'Chat',
    about: 'Stored conversations. Send a question to POST /api/chat, which returns one line of JSON per event.',
    endpoints: chatEndpoints,
  },
  {
    slug: 'library',
    title: 'Modules and runs',
    about: 'Index a source, follow its runs, and refresh or remove its module.',
    endpoints: { ...libraryEndpoints, ...probeEndpoints },
  },
  {
    slug: 'index-requests',
    title: 'Agent requests',
    about: 'Sources that agents request, and users’ decisions about them.',
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
    about: 'The libraries that a project depends on, so that searches use these versions.',
    endpoints: profileEndpoints,
  },
  {
    slug: 'pdf-sets',
    title: 'PDF sets',
    about: 'Upload PDF files in parts, group them in sets, and index the sets.',
    endpoints: pdfSetEndpoints,
  },
  {
    slug: 'source-credentials',
    title: 'Source credentials',
    about: 'Credentials with which the crawler or git signs in to one host. A secret is never shown again.',
    endpoints: sourceCredentialEndpoints,
  },
  {
    slug: 'keys',
    title: 'API keys',
    about: 'Create, reveal and revoke the keys that agents send.',
    endpoints: keyEndpoints,
  },
  {
    slug: 'connections',
    title: 'Applications',
    about: 'Applications that act for you without a key: allow access, list them, revoke their access.',
    endpoints: connectionEndpoints,
  },
  {
    slug: 'credits',
    title: 'Credits and activity',
    about: 'Balances, usage, every row of the ledger, and agents’ calls.',
    endpoints: { ...creditEndpoints, ...insightEndpoints },
  },
  {
    slug: 'billing',
    title: 'Billing',
    about: 'A user’s plan: choose, change or cancel it, and buy credits.',
    endpoints: billingEndpoints,
  },
  {
    slug: 'teams',
    title: 'Teams',
    about: 'Teams, their members, invites, audit logs and plans.',
    endpoints: { ...teamEndpoints, ...auditEndpoints, ...teamBillingEndpoints },
  },
  {
    slug: 'team-administration',
    title: 'Team administration',
    about:
      'The endpoints under `/admin`. Success is `{"success": true, …}`, an error is `{"success": false, "error", "code"}`.',
    endpoints: { ...teamAdministration, ...billingAdministration },
  },
  {
    slug: 'conference',
    title: 'Conference',
    about: 'Sign-up for the online conference by email, and the list of sign-ups for the operator.',
    endpoints: confEndpoints,
  },
  {
    slug: 'sign-on',
    title: 'Single sign-on',
    about: 'A team’s identity provider, and the domain that it has proved.',
    endpoints: signOnEndpoints,
  },
  {
    slug: 'identity',
    title: 'Accounts and sessions',
    about: 'Sign up, sign in, verify an address, reset a password, list and end sessions.',
    endpoints: { ...accountEndpoints, ...identityEndpoints, ...accountDetailEndpoints },
  },
  {
    slug: 'installation',
    title: 'This installation',
    about: 'Information about the installation, live updates, its documentation and its outbox.',
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
    endpoints: { ...operatorEndpoints, ...installationAuditEndpoints },
  },
  {
    slug: 'status',
    title: 'Status',
    about: 'The installation’s state, from checks and real calls, and the operator’s incident reports.',
    endpoints: statusEndpoints,
  },
  {
    slug: 'test-billing',
    title: 'Payments in test mode',
    about: 'The payment page and portal of an installation without a payment provider. No money moves.',
    endpoints: testBillingEndpoints,
  },
];
