import { useSyncExternalStore } from 'react';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type MailLink, useFollowMailLink } from './queries.ts';

const words = {
  confirm: {
    title: 'Confirm your sign-up',
    text: "Confirm to join the conference's list.",
    button: 'Confirm',
    done: "You are on the list. We'll email you when there is a date.",
  },
  leave: {
    title: 'Leave the list',
    text: "Your address is erased, and you won't get any more emails about the conference.",
    button: 'Leave the list',
    done: 'Your address is erased from the list.',
  },
};

/** What a link of a mail leads to. It waits for a press: programs that look at mails open links too. */
export function MailLinkPanel() {
  const link = useMailLink();
  const follow = useFollowMailLink();
  if (link === undefined) return null;
  const { title, text, button, done } = words[link.name];
  if (follow.isSuccess) {
    return (
      <div role="status" className="mb-10">
        <Notice tone="info" title={done} />
      </div>
    );
  }
  return (
    <section aria-labelledby="mail-link" className="mb-10 rounded-xl border border-lamp-line bg-lamp-ground px-5 py-5">
      <h2 id="mail-link" className="font-medium text-ink text-md">
        {title}
      </h2>
      <p className="mt-1 mb-4 text-base text-soft">{text}</p>
      {follow.error && (
        <div className="mb-4">
          <Notice tone="bad">{sentenceForPeople(follow.error)}</Notice>
        </div>
      )}
      <Button look="action" isBusy={follow.isPending} onClick={() => follow.isPending || follow.mutate(link)}>
        {button}
      </Button>
    </section>
  );
}

/** The link this page was opened by, after the hash, where servers and logs do not see it. */
function useMailLink(): MailLink | undefined {
  const hash = useSyncExternalStore(
    (onChange) => {
      window.addEventListener('hashchange', onChange);
      return () => window.removeEventListener('hashchange', onChange);
    },
    () => window.location.hash,
    () => '',
  );
  const [, name, token] = /^#(confirm|leave)=([\w-]+)$/.exec(hash) ?? [];
  return token !== undefined && (name === 'confirm' || name === 'leave') ? { name, token } : undefined;
}
