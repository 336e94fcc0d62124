import { Link } from 'react-router';
import { limits } from '#contract/limits.ts';
import { useProductName } from '../../lib/session.ts';
import { LongPage, type PageSection } from './long-page.tsx';

const accountRows: [what: string, how: string, until: string][] = [
  ['E-mail address, name', 'as you gave them', 'you change them or delete the account'],
  ['Password', 'as a salted scrypt hash', 'you change it or delete the account'],
  [
    'Sessions',
    'hash of a token, program of the browser, times',
    `${limits.webSessionLifetimeDays} days, or you sign out`,
  ],
  [
    'Codes in mails',
    'hashed, good once',
    `${limits.resetCodeLifetimeHours} to ${limits.verificationCodeLifetimeHours} hours`,
  ],
  ['API keys', 'hashed to find them, and sealed (AES-256-GCM) to show them again', 'you delete the account'],
  [
    'Connected applications',
    'name, hashed tokens, last use',
    `${limits.connectionRefreshLifetimeDays} days without use, or you end it`,
  ],
  ['Credits and calls', 'one line each, see below', 'the account is deleted; then amounts only'],
  ['Membership of teams', 'role, dates, a log of changes', 'it ends, or the team is deleted'],
];

/** What this installation keeps about people. Each sentence is about what the server does; change them together. */
export function PrivacyScreen() {
  const productName = useProductName();
  return (
    <LongPage
      kicker="Privacy"
      title="What this installation knows about you"
      lead={`${productName} runs on a machine that its operator owns. The people who run this installation decide over what is kept here; this page says what the program keeps, where, and for how long.`}
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
          These pages load nothing from other sites and set no cookie. There is no analytics program. A choice of theme
          stays in your browser.
        </p>
        <p>
          Network addresses are not written to the log. They are counted, as a hash and for an hour at most, to hold
          back whoever tries passwords or sends mails in great number.
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
                <th scope="col">What is kept</th>
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
          Being signed in is one cookie, which scripts cannot read; a note in your browser says that there is one.
          Whether you agreed to receive updates, and when, is kept with the account, and can be changed on the account
          screen.
        </p>
      </>
    ),
  },
  {
    id: 'searches',
    title: 'What you and your agents ask',
    body: (
      <>
        <p>
          Each charged call is a line in your activity: the tool, its arguments (the question, or the address read), the
          name of the key, tokens and credits. You see your own; the admins of a team see those made in the team.
        </p>
        <p>
          So that an agent is not sent the same passage twice, what was sent in a conversation is remembered for{' '}
          {limits.agentSessionDays} days after its last call.
        </p>
        <p>
          Conversations of the chat are kept with your account until you delete them, at most {limits.chatsKept}; nobody
          else reads them, not even the admins of a team. Where the operator has set up a language model, a question and
          the passages found for it are sent to its provider; without one nothing leaves this installation.
        </p>
        <p>
          Searches of visitors are neither charged nor recorded, and of what visitors ask in the chat nothing is kept.
        </p>
      </>
    ),
  },
  {
    id: 'sources',
    title: 'What you index',
    body: (
      <>
        <p>
          Private sites, repositories and PDF sets belong to you or to your team. Nobody else's search opens their
          index. Removing a source deletes its pages and its index.
        </p>
        <p>
          Credentials for a source are sealed and sent to the one host they are for. Of a repository on a code host,
          access is asked of that host each time, in the name of the person who added it.
        </p>
      </>
    ),
  },
  {
    id: 'where',
    title: 'Where it is kept',
    body: (
      <>
        <p>
          In one folder on the operator's machine, unless the operator has configured PostgreSQL for the rows or an S3
          bucket for the index. Backups are the operator's.
        </p>
        <p>
          Log lines have API keys, tokens, passwords and e-mail addresses taken out before they are written. Faults are
          kept in a file of limited size, with the same taken out; they leave the machine only if the operator has named
          an error service.
        </p>
      </>
    ),
  },
  {
    id: 'others',
    title: 'Who else is involved',
    body: (
      <ul>
        <li>
          <strong>Mail.</strong> Mails go through the mail server that the operator has configured. With none, they stay
          in an outbox that only the operator reads.
        </li>
        <li>
          <strong>Payments.</strong> Where plans are paid for, Stripe takes the payment. Card numbers never reach this
          server; it keeps Stripe's number for you, the plan and its dates.
        </li>
        <li>
          <strong>Sign-in with GitHub, Google or your company.</strong> That provider tells your address, your name and
          a number that stands for you. Nothing is sent to it but the sign-in itself.
        </li>
        <li>
          <strong>Sign-up count.</strong> An operator may configure a script that counts sign-ups for an advertisement.
          It is loaded only for somebody who has just signed up and agreed to updates.
        </li>
        <li>
          <strong>Documentation hosts.</strong> A page that is crawled or read is fetched by this server, not by your
          browser. The host sees this server's address and not your question.
        </li>
      </ul>
    ),
  },
  {
    id: 'rights',
    title: 'Take it with you, or erase it',
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
          An address on the list for the <Link to="/conf">conference</Link> is erased by the link in each of its mails.
        </p>
        <p>For anything else write to the people who run this installation; where they name an address, it is below.</p>
      </>
    ),
  },
];
