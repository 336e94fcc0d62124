import { sentenceForPeople } from '../lib/api-error.ts';
import { useToast } from '../ui/toast.tsx';

/** Returns a function that shows an error in a toast. */
export function useFaultToast(): (error: unknown) => void {
  const toast = useToast();
  return (error) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 5_000 });
}
