import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { type ConsentQuestion, connectionEndpoints } from '#contract/connections.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useProductName, useSession, useSignOut } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Notice } from '../../ui/notice.tsx';
import { ConsentFrame, leaveFor, targetOf } from './consent-frame.tsx';

interface ConsentFormProps {
  request: string;
  question: ConsentQuestion;
}

/** The question: which application asks, its permissions, where it redirects, and the two answers. */
export function ConsentForm({ request, question }: ConsentFormProps) {
  const answer = useAction(connectionEndpoints.answerConsent);
  const [workspaceId, setWorkspaceId] = useState(question.workspaces[0]?.id ?? '');
  const [mayAskToIndex, setMayAskToIndex] = useState(false);
  const product = useProductName();
  const isOperator = useSession().data?.user?.isOperator === true;
  const { clientName, vouchedBy, redirect, workspaces } = question;
  const give = (isAllowed: boolean) =>
    answer.mutate({ request, isAllowed, workspaceId, mayAskToIndex }, { onSuccess: ({ url }) => leaveFor(url) });

  if (answer.data) return <Answered question={question} url={answer.data.url} />;
  return (
    <ConsentFrame title={`Let “${clientName}” use ${product}?`}>
      <WhoAnswers />
      <ul className="flex flex-col gap-2 rounded-lg border border-line bg-surface px-5 py-4 shadow-sm">
        <Permission>It can search and read the public index and your sources.</Permission>
        {!isOperator && <Permission>Each search or read uses one of your credits.</Permission>}
        <Permission isDenied>It can't see your API keys, add or remove sources, or change your account.</Permission>
      </ul>
      <Checkbox
        label="It can request sources"
        hint="It can request missing documentation. Nothing is indexed until you approve it."
        isChecked={mayAskToIndex}
        onChange={setMayAskToIndex}
      />
      <WorkspaceChoice workspaces={workspaces} value={workspaceId} onChange={setWorkspaceId} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-2 text-sm">
        <dt className="text-faint">Verified by</dt>
        <dd className="wrap-anywhere text-ink">{vouchedBy ?? 'Not verified'}</dd>
        <dt className="text-faint">Redirects to</dt>
        <dd className="wrap-anywhere text-ink">{targetOf(redirect)}</dd>
      </dl>
      <ConsentWarnings question={question} />
      {answer.isError && <Notice tone="bad">{sentenceForPeople(answer.error)}</Notice>}
      <div className="grid grid-cols-2 gap-3">
        <Button isBusy={answer.isPending} onClick={() => give(false)}>
          Deny
        </Button>
        <Button look="action" isBusy={answer.isPending} onClick={() => give(true)}>
          Allow access
        </Button>
      </div>
      <p className="text-pretty text-faint text-sm">
        You can revoke access at any time under{' '}
        <Link to="/account#applications" className="text-soft underline underline-offset-2">
          connected applications
        </Link>{' '}
        in your account. It ends after 30 days without use.
      </p>
    </ConsentFrame>
  );
}

function Permission({ isDenied = false, children }: { isDenied?: boolean; children: string }) {
  return (
    <li className="flex gap-3">
      {isDenied ? (
        <X aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
      ) : (
        <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-lamp" />
      )}
      <span className={isDenied ? 'text-soft' : 'text-ink'}>{children}</span>
    </li>
  );
}

/** Shows the signed-in account: users with two accounts may otherwise grant access to the wrong one. */
function WhoAnswers() {
  const user = useSession().data?.user;
  const signOut = useSignOut();
  if (!user) return null;
  return (
    <p className="text-soft">
      You are signed in as{' '}
      <strong className="wrap-anywhere font-medium text-ink">{user.email ?? user.displayName}</strong>.{' '}
      <button
        type="button"
        className={classNames(
          'rounded-xs font-medium text-lamp underline underline-offset-2',
          signOut.isPending && 'cursor-progress opacity-60',
        )}
        aria-disabled={signOut.isPending || undefined}
        aria-busy={signOut.isPending || undefined}
        onClick={() => signOut.isPending || signOut.mutate()}
      >
        Use another account
      </button>
    </p>
  );
}

/** Stays on the page after the decision was sent to a program outside the browser. */
function Answered({ question, url }: { question: ConsentQuestion; url: string }) {
  return (
    <ConsentFrame title={`Returning to “${question.clientName}”`}>
      <p role="status" className="text-soft">
        Sending your decision to {targetOf(question.redirect)}. You can close this page once the application is
        connected.
      </p>
      <p>
        <a href={url} className="font-medium text-lamp underline underline-offset-2">
          Send it again
        </a>
      </p>
    </ConsentFrame>
  );
}

/** Warnings about facts that the application's name does not show. */
function ConsentWarnings({ question }: { question: ConsentQuestion }) {
  const { clientName, vouchedBy, redirect } = question;
  if (vouchedBy === null) {
    return (
      <Notice tone="warn" title="This application is not verified">
        Any program can call itself “{clientName}”.{' '}
        {redirect.kind === 'site'
          ? `Continue only if you started this just now and know ${redirect.target}.`
          : 'Continue only if you started this just now, in a program you trust.'}
      </Notice>
    );
  }
  if (redirect.kind === 'site' && redirect.target === vouchedBy) return null;
  return (
    <Notice tone="warn" title={`It claims to be from ${vouchedBy}`}>
      {redirect.kind === 'site'
        ? `It redirects to another site, ${redirect.target}. Continue only if you know both.`
        : 'Other programs on this computer could claim the same. Continue only if you started this just now.'}
    </Notice>
  );
}

interface WorkspaceChoiceProps {
  workspaces: ConsentQuestion['workspaces'];
  value: string;
  onChange: (workspaceId: string) => void;
}

/** Selects the index that the application searches and whose credits it uses. */
function WorkspaceChoice({ workspaces, value, onChange }: WorkspaceChoiceProps) {
  return (
    <fieldset>
      <legend className="font-medium text-ink text-sm">Workspace</legend>
      <div className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface shadow-sm">
        {workspaces.map(({ id, name }) => (
          <label key={id} className="flex cursor-pointer items-center gap-3 px-4 py-3 has-focus-visible:outline-2">
            <input
              type="radio"
              name="workspace"
              value={id}
              checked={id === value}
              onChange={() => onChange(id)}
              className="size-4 shrink-0 accent-lamp"
            />
            <span className="wrap-anywhere min-w-0 font-medium text-ink">{name}</span>
            {id === 'individual' && <span className="ml-auto text-faint text-sm">Your index and credits</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
