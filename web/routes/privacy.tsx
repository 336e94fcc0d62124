import type { ReactNode } from 'react';
import { Link } from 'react-router';
import * as limits from '#contract/limits.ts';
import { publicPage } from '../lib/public-page-head.tsx';
import { useProductName } from '../lib/session.ts';

const accountRows: [what: string, how: string, until: string][] = [
  ['Email address, name', 'as you gave them', 'you change them or delete the account'],
  ['Password', 'as a salted scrypt hash', 'you change it or delete the account'],
  ['Sessions', "a hashed token, the browser's name, times", `${limits.webSessionLifetimeDays} days, or you sign out`],
  [
    'Codes in emails',
    'hashed, single use',
    `${limits.resetCodeLifetimeHours} hour to ${limits.inviteLifetimeDays} days`,
  ],
  ['API keys', 'hashed to find them, and encrypted (AES-256-GCM) to reveal them', 'you delete the account'],
  [
    'Connected applications',
    'name, hashed tokens, last use',
    `${limits.connectionRefreshLifetimeDays} days without use, or you end it`,
  ],
  ['Credits and calls', 'one line each, see below', 'you delete the account; then only amounts'],
  ['Team memberships', 'role, dates, a log of changes', 'you leave, or the team is deleted'],
];

/**
 * The personal data that this installation stores. Each sentence describes the server's behaviour; change both
 * together.
 */
function PrivacyScreen() {
  const productName = useProductName();
  return (
    <LongPage
      kicker="Privacy"
      title="What this installation knows about you"
      lead={`${productName} runs on a machine that its operator owns. The operator is responsible for the data on this installation; this page says what the program stores, where, and for how long.`}
      sections={sections}
    />
  );
}

export default publicPage('/privacy', PrivacyScreen);

const sections: PageSection[] = [
  {
    id: 'visitors',
    title: 'Reading without an account',
    body: (
      <>
        <p>
          These pages load nothing from other sites and set no cookies. There are no analytics. Your choice of theme
          stays in your browser.
        </p>
        <p>
          Network addresses are not logged. They are counted as a hash, for a day at most, to limit password guessing
          and mass email.
        </p>
      </>
    ),
  },
  {
    id: 'account',
    title: 'With an account',
    body: (
      <>
        <div className="prose-table">
          <table>
            <thead>
              <tr>
                <th scope="col">What is stored</th>
                <th scope="col">How</th>
                <th scope="col">Until</th>
              </tr>
            </thead>
            <tbody>
              {accountRows.map(([what, how, until]) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  <td>{how}</td>
                  <td>{until}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p>
          Signing in sets two cookies that scripts can't read: one for your session, and one that recognizes this
          browser for {limits.deviceLifetimeDays} days, so that people who guess passwords can't lock you out. Your
          browser also remembers that you are signed in. Your account stores whether and when you agreed to receive
          updates. You can change that on the account screen.
        </p>
      </>
    ),
  },
  {
    id: 'searches',
    title: 'Queries by you and your agents',
    body: (
      <>
        <p>
          Each charged call is a line in your activity: the tool, its arguments (the question, or the address read), the
          key's name, tokens and credits. You see your own calls; a team's admins see all calls made in the team.
        </p>
        <p>
          So that an agent doesn't get the same passage twice, a conversation's passages are remembered for{' '}
          {limits.agentSessionDays} days after its last call.
        </p>
        <p>
          Your last {limits.chatsKept} chat conversations are stored with your account until you delete them. No one
          else can read them, not even a team's admins. If the operator has set up a language model, questions and the
          passages found for them are sent to its provider.
        </p>
        <p>Visitors' searches are neither charged nor recorded, and their chat questions are not stored.</p>
      </>
    ),
  },
  {
    id: 'sources',
    title: 'Your sources',
    body: (
      <>
        <p>
          Private sites, repositories and PDF sets belong to you or to your team. No one else can search them. Removing
          a source deletes its pages and its index.
        </p>
        <p>
          Source credentials are encrypted and sent only to their host. Before each update of a connected repository,
          its host must confirm that the person who added it still has access.
        </p>
      </>
    ),
  },
  {
    id: 'where',
    title: 'Where data is stored',
    body: (
      <>
        <p>
          Data is stored in one folder on the operator's machine, unless the operator has configured PostgreSQL for
          records, or an S3 bucket or a search cluster for the index. The operator makes the backups.
        </p>
        <p>
          API keys, tokens, passwords and email addresses are removed from log lines and error reports before these are
          written. Error reports stay in a file of limited size, unless the operator has set up an error service, which
          can also get your id and email address.
        </p>
      </>
    ),
  },
  {
    id: 'others',
    title: 'Third parties',
    body: (
      <ul>
        <li>
          <strong>Mail.</strong> Emails go through the mail server that the operator has configured. Without one, they
          stay in an outbox that only the operator can read.
        </li>
        <li>
          <strong>Payments.</strong> If you pay for a plan, Stripe takes the payment. Card numbers never reach this
          server; it stores your Stripe customer number, the plan and its dates.
        </li>
        <li>
          <strong>Sign-in with GitHub, Google or your company.</strong> The provider sends your email address, your name
          and an account number. It learns only that you sign in.
        </li>
        <li>
          <strong>Sign-up count.</strong> The operator can configure a script that counts sign-ups from an
          advertisement. It loads only for users who have just signed up. Where the operator requires consent, they must
          have agreed to updates.
        </li>
        <li>
          <strong>Documentation hosts.</strong> This server fetches the pages, not your browser. The host sees this
          server's address, not yours, and never your question.
        </li>
        <li>
          <strong>Embedding service.</strong> If the operator has set one up, it gets every question and every indexed
          passage. Without it and a language model, questions stay on this installation.
        </li>
        <li>
          <strong>Package registries.</strong> They are asked for the documentation of libraries in your lockfiles, by
          name, unless the operator has turned this off.
        </li>
      </ul>
    ),
  },
  {
    id: 'rights',
    title: 'Export or delete your data',
    body: (
      <>
        <p>
          You can export all your data as JSON on the <Link to="/account">account screen</Link>, and your activity as
          CSV on the <Link to="/activity">activity screen</Link>. Admins can export a team's log.
        </p>
        <p>
          The <Link to="/account">account screen</Link> deletes your account immediately, with its sessions, password,
          keys, connections, private sources and the record of what agents received. Amounts stay under a made-up
          number, so that totals still add up, and log entries stay without your name. The operator's backups may keep
          your data until they are overwritten.
        </p>
        <p>
          To take your address off the <Link to="/conf">conference</Link> list, use the link in any of its emails.
        </p>
        <p>For anything else, write to the operator. If they give an address, you find it under “Contact” below.</p>
      </>
    ),
  },
];

interface PageSection {
  id: string;
  title: string;
  body: ReactNode;
}

interface LongPageProps {
  /** The page's kind, above the title. */
  kicker: string;
  title: string;
  lead: ReactNode;
  sections: PageSection[];
}

/** A long text page in sections, with a table of contents beside it if there is space. */
function LongPage({ kicker, title, lead, sections }: LongPageProps) {
  return (
    <div className="page py-14 md:py-20">
      <header className="max-w-[46rem]">
        <p className="font-medium text-lamp text-sm">{kicker}</p>
        <h1 className="mt-3 font-display text-4xl text-ink tracking-[-0.022em]">{title}</h1>
        <p className="mt-4 text-pretty text-lg text-soft">{lead}</p>
      </header>
      <div className="mt-12 grid gap-x-16 border-line border-t pt-10 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <nav aria-label="On this page" className="mb-10 lg:sticky lg:top-24 lg:mb-0 lg:self-start">
          <ul className="flex flex-wrap gap-x-5 gap-y-1 lg:flex-col">
            {sections.map((section) => (
              <li key={section.id}>
                <a
                  href={`#${section.id}`}
                  className="inline-flex min-h-7 items-center rounded-xs text-base text-faint hover:text-ink hover:underline"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex min-w-0 max-w-[46rem] flex-col gap-14">
          {sections.map((section) => (
            <section key={section.id} aria-labelledby={section.id}>
              <h2
                id={section.id}
                className="scroll-mt-6 font-display font-medium text-2xl text-ink tracking-[-0.014em]"
              >
                {section.title}
              </h2>
              <div className="prose prose-reading mt-4">{section.body}</div>
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}
