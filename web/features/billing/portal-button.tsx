import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type Payer, useOpenPortal } from './queries.ts';
import { useGoToPayment } from './use-go-to-payment.ts';

interface PortalButtonProps {
  payer: Payer;
  label: string;
  look?: 'plain' | 'action';
  size?: 'sm' | 'md';
}

/** Opens the billing portal, in place of this page. */
export function PortalButton({ payer, label, look = 'plain', size = 'md' }: PortalButtonProps) {
  const open = useOpenPortal(payer);
  const goToPayment = useGoToPayment();
  const toast = useToast();
  return (
    <Button
      look={look}
      size={size}
      isBusy={open.isPending}
      onClick={() =>
        open.mutate(undefined, {
          onSuccess: goToPayment,
          onError: (error) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 5_000 }),
        })
      }
    >
      {label}
    </Button>
  );
}
