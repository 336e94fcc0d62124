import type { ConsentQuestion } from '#contract/connections.ts';
import { Notice } from '../../ui/notice.tsx';

/** What a person cannot know from the name alone. */
export function ConsentWarnings({ question }: { question: ConsentQuestion }) {
  const { clientName, vouchedBy, redirect } = question;
  if (vouchedBy === null) {
    return (
      <Notice tone="warn" title="This application is not verified">
        Anyone can call a program “{clientName}”.{' '}
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
