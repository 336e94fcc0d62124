import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { buttonClasses } from './button.tsx';

type LinkProps = Pick<ComponentProps<typeof Link>, 'to' | 'children'>;

/** A link that looks like a button. */
export function ButtonLink(props: LinkProps) {
  return <Link {...props} className={buttonClasses()} />;
}

/** A link that looks like the primary button. */
export function ActionLink(props: LinkProps) {
  return <Link {...props} className={buttonClasses('action')} />;
}
