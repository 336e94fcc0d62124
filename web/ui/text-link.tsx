import type { ComponentProps } from 'react';
import { Link } from 'react-router';

/** A link inside a sentence. */
export function TextLink(props: Pick<ComponentProps<typeof Link>, 'to' | 'children'>) {
  return (
    <Link
      {...props}
      className="rounded-xs text-ink underline decoration-lamp-line underline-offset-3 hover:decoration-lamp"
    />
  );
}
