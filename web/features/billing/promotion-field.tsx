import { Tag, X } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { billingEndpoints, type Discount } from '#contract/billing.ts';
import * as limits from '#contract/limits.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { discountWords } from './billing-words.ts';

interface PromotionFieldProps {
  applied: Discount | null;
  onChange: (discount: Discount | null) => void;
}

/** A promotion code field, hidden until requested; the code is checked before it is applied. */
export function PromotionField({ applied, onChange }: PromotionFieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (applied !== null) return <AppliedPromotion discount={applied} onRemove={() => onChange(null)} />;
  if (isOpen) return <PromotionForm onApply={onChange} />;
  return (
    <button
      type="button"
      onClick={() => setIsOpen(true)}
      className="inline-flex min-h-6 items-center self-start rounded-xs text-sm text-soft underline decoration-line-strong underline-offset-3 hover:text-ink"
    >
      Add a promotion code
    </button>
  );
}

function AppliedPromotion({ discount, onRemove }: { discount: Discount; onRemove: () => void }) {
  return (
    <p role="status" className="flex items-center gap-2 text-sm">
      <span className="inline-flex min-w-0 items-center gap-1.5 rounded-md border border-lamp-line bg-lamp-ground py-0.5 pr-1 pl-2 text-lamp">
        <Tag aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate font-medium">{discount.code}</span>
        <button
          type="button"
          aria-label={`Remove the code ${discount.code}`}
          onClick={onRemove}
          className="flex size-6 shrink-0 items-center justify-center rounded-xs hover:bg-hover"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      </span>
      <span className="text-soft">{discountWords(discount)} each payment</span>
    </p>
  );
}

function PromotionForm({ onApply }: { onApply: (discount: Discount) => void }) {
  const [code, setCode] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const check = useAction(billingEndpoints.checkPromotion);
  const fieldRef = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Keeps the event from submitting the order, which has its own button.
    event.stopPropagation();
    if (check.isPending) return;
    setIsMissing(code.trim() === '');
    if (code.trim() === '') return fieldRef.current?.focus();
    check.mutate(
      { code: code.trim() },
      { onSuccess: ({ promotion }) => onApply(promotion), onError: () => fieldRef.current?.focus() },
    );
  };
  const fault = isMissing ? 'Enter a code.' : check.error ? sentenceForPeople(check.error) : undefined;
  return (
    <form onSubmit={submit} noValidate aria-label="Promotion code" className="flex items-start gap-2">
      <TextField
        ref={fieldRef}
        label="Promotion code"
        isLabelHidden
        placeholder="Promotion code"
        autoFocus
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={limits.promotionCodeCharactersMax}
        value={code}
        error={fault}
        onValueChange={(value) => {
          setCode(value);
          setIsMissing(false);
          check.reset();
        }}
        className="flex-1"
      />
      <Button type="submit" isBusy={check.isPending}>
        Apply
      </Button>
    </form>
  );
}
