import { Link } from 'react-router';
import { limits } from '#contract/limits.ts';
import { useProductName } from '../../lib/session.ts';
import { LongPage, type PageSection } from './long-page.tsx';

const accountRows: [what: string, how: string, until: string][] = [
  ['Email address, name', 'as you gave them', 'you change them or delete the account'],
  ['Password', 'as a salted scrypt hash', 'you change it or delete the account'],
  [
    'Sessions',
    'hash of a token, program of the browser, times',
    `${limits.webSessionLifetimeDays} days, or you sign out`,
  ],
  [
    'Codes in emails',
    'hashed, single use',
    `${limits.resetCodeLifetimeHours} to ${limits.verificationCodeLifetimeHours} hours`,
  ],
  ['API keys', 'hashed to find them, and encrypted (AES-256-GCM) to reveal them', 'you delete the account'],
  [
    'Connected applications',
    'name, hashed tokens, last use',
    `${limits.connectionRefreshLifetimeDays} days without use, or you end it`,
  ],
  ['Credits and calls', 'one line each, see below', 'the account is deleted; then only amounts'],
  ['Team memberships', 'role, dates, a log of changes', 'it ends, or the team is deleted'],
];

/** What this installation keeps about people. Each sentence is about what the server does; change them together. */
export function PrivacyScreen() {
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
          Network addresses are not logged. They are counted as a hash, for an hour at most, to limit password guessing
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
          Signing in sets one cookie that scripts cannot read; your browser also keeps a note that you are signed in.
          Whether you agreed to receive updates, and when, is kept with the account, and can be changed on the account
          screen.
        </p>
      </>
    ),
  },
  {
    id: 'searches',
    title: "Your and your agents' queries",
    body: (
      <>
        <p>
          Each charged call is a line in your activity: the tool, its arguments (the question, or the address read), the
          name of the key, tokens and credits. You see your own; the admins of a team see those made in the team.
        </p>
        <p>
          So that an agent doesn't get the same passage twice, the passages of a conversation are remembered for{' '}
          {limits.agentSessionDays} days after its last call.
        </p>
        <p>
          Chat conversations are stored with your account until you delete them, at most {limits.chatsKept}; no one else
          reads them, not even the admins of a team. Where the operator has set up a language model, a question and the
          passages found for it are sent to its provider; without one nothing leaves this installation.
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
          Private sites, repositories and PDF sets belong to you or to your team. No one else's search opens their
          index. Removing a source deletes its pages and its index.
        </p>
        <p>
          Source credentials are encrypted and sent only to their host. For a repository on a code host, that host is
          asked each time whether the person who added it still has access.
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
          In one folder on the operator's machine, unless the operator has configured PostgreSQL for the rows or an S3
          bucket for the index. The operator makes the backups.
        </p>
        <p>
          API keys, tokens, passwords and email addresses are taken out of log lines before they are written. Errors are
          kept in a file of limited size without them; they leave the machine only if the operator has set up an error
          service.
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
          <strong>Payments.</strong> Where plans are paid for, Stripe takes the payment. Card numbers never reach this
          server; it keeps Stripe's number for you, the plan and its dates.
        </li>
        <li>
          <strong>Sign-in with GitHub, Google or your company.</strong> That provider sends your address, your name and
          an account number. It receives only the sign-in itself.
        </li>
        <li>
          <strong>Sign-up count.</strong> An operator may configure a script that counts sign-ups for an advertisement.
          It loads only for users who have just signed up and agreed to updates.
        </li>
        <li>
          <strong>Documentation hosts.</strong> This server fetches crawled and read pages, not your browser. The host
          sees this server's address and not your question.
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
          Activity can be exported as CSV on the <Link to="/activity">activity screen</Link>, a team's log by its
          admins.
        </p>
        <p>
          The <Link to="/account">account screen</Link> deletes an account at once: sessions, password, keys,
          connections, private sources and what agents were sent go in one step. What remains are amounts, under a
          made-up number, so that sums still add up, and log entries that no longer say who. Backups of the operator may
          hold it until they are overwritten.
        </p>
        <p>
          An address on the list for the <Link to="/conf">conference</Link> is erased with the link in each of its
          emails.
        </p>
        <p>For anything else write to the people who run this installation; where they name an address, it is below.</p>
      </>
    ),
  },
];
