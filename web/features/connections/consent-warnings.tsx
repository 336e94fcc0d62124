import type { ConsentQuestion } from '#contract/connections.ts';
import { Notice } from '../../ui/notice.tsx';

/** What a person cannot know from the name alone. */
export function ConsentWarnings({ question }: { question: ConsentQuestion }) {
  const { clientName, vouchedBy, redirect } = question;
  if (vouchedBy === null) {
    return (
      <Notice tone="warn" title="Nobody has checked this application">
        Anyone can call a program “{clientName}”.{' '}
        {redirect.kind === 'site'
          ? `Go on only if you started this just now and know ${redirect.target}.`
          : 'Go on only if you started this just now, in a program you trust.'}
      </Notice>
    );
  }
  if (redirect.kind === 'site' && redirect.target === vouchedBy) return null;
  return (
    <Notice tone="warn" title={`It says that it is from ${vouchedBy}`}>
      {redirect.kind === 'site'
        ? `The answer goes to another site, ${redirect.target}. Go on only if you know both.`
        : 'Other programs on this computer could say the same. Go on only if you started this just now.'}
    </Notice>
  );
}
