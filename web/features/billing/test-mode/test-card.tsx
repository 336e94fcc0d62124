import { CreditCard } from 'lucide-react';
import { Segments } from '../../../ui/segments.tsx';
import { PortalPart } from './portal-part.tsx';

interface TestCardProps {
  works: boolean;
  isBusy: boolean;
  onChange: (works: boolean) => void;
}

/** The made-up card: one that pays, or one that is declined from now on. */
export function TestCard({ works, isBusy, onChange }: TestCardProps) {
  return (
    <PortalPart title="Card">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="flex min-w-0 flex-1 basis-60 items-center gap-3">
          <CreditCard aria-hidden className="size-5 shrink-0 text-faint" />
          <span role="status" className="text-pretty text-soft">
            {works ? 'A made-up card that pays.' : 'A made-up card that is declined whenever it is charged.'}
          </span>
        </p>
        <Segments
          label="The card"
          value={works ? 'pays' : 'declined'}
          options={[
            { value: 'pays', label: 'Pays' },
            { value: 'declined', label: 'Is declined' },
          ]}
          onChange={(choice) => !isBusy && onChange(choice === 'pays')}
        />
      </div>
    </PortalPart>
  );
}
