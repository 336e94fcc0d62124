import { sentenceForPeople } from '../lib/api-error.ts';
import { classNames } from '../ui/class-names.ts';

/** Shows an error below a form or a button, and nothing without an error. */
export function Fault({ error, className }: { error: unknown; className?: string }) {
  if (error === null || error === undefined) return null;
  return (
    <p role="alert" className={classNames('text-danger text-sm', className)}>
      {sentenceForPeople(error)}
    </p>
  );
}
