import { CircleAlert, Info, MailCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { InviteOutcome } from '#contract/teams.ts';
import { countOf } from '../../ui/quantities.ts';

const icons = {
  invited: <MailCheck aria-hidden className="size-4 text-lamp" />,
  'already-member': <Info aria-hidden className="size-4 text-faint" />,
  'already-invited': <Info aria-hidden className="size-4 text-faint" />,
  invalid: <CircleAlert aria-hidden className="size-4 text-danger" />,
} as const;

/** Returns true if an invite was refused, which the user should read before continuing. */
export function hasRefused(outcomes: InviteOutcome[]): boolean {
  return outcomes.some(({ outcome }) => outcome !== 'invited');
}

/** Returns a text such as '2 invites sent'. */
export function invitesSent(outcomes: InviteOutcome[]): string {
  return `${countOf(outcomes.filter(({ outcome }) => outcome === 'invited').length, 'invite')} sent`;
}

/** The result for each address; it takes the focus because it replaces the form. */
export function InviteOutcomes({ outcomes }: { outcomes: InviteOutcome[] }) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <section aria-labelledby="outcomes">
      <h2 id="outcomes" ref={headingRef} tabIndex={-1} className="heading-part rounded-xs">
        {invitesSent(outcomes)}
      </h2>
      <ul className="mt-2.5 divide-y divide-line rounded-lg border border-line bg-surface shadow-sm">
        {outcomes.map(({ email, outcome, message }) => (
          <li key={email} className="flex items-start gap-3 px-4 py-2.5">
            <span className="mt-0.5">{icons[outcome]}</span>
            <div className="wrap-anywhere min-w-0">
              <p className="font-medium text-ink">{email}</p>
              <p className="text-faint text-sm">{message}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
