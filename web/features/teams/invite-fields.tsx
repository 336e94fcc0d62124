import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { type ClipboardEvent, type RefObject, useImperativeHandle, useRef } from 'react';
import * as limits from '#contract/limits.ts';
import { siteOptions } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { addressesIn, type InviteLine, nextIdOf, withPasted } from './invite-list.ts';
import { RoleSelect } from './role-select.tsx';
import { roleTexts } from './roles.ts';

interface InviteFieldsProps {
  lines: InviteLine[];
  onChange: (lines: InviteLine[]) => void;
  /** Errors by the line's id. */
  faults: Map<number, string>;
  /** Set to a function that focuses a line's field. */
  focusRef: RefObject<((id: number) => void) | null>;
  hasAutoFocus?: boolean;
}

/** Fields for the people to invite and their roles. A pasted list of addresses becomes several lines. */
export function InviteFields({ lines, onChange, faults, focusRef, hasAutoFocus = false }: InviteFieldsProps) {
  const fields = useRef(new Map<number, HTMLInputElement>());
  const addRef = useRef<HTMLButtonElement>(null);
  const focus = (id: number) => fields.current.get(id)?.focus();
  useImperativeHandle(focusRef, () => focus);

  const isOutbox = useQuery(siteOptions).data?.mailIsOutbox === true;

  const set = (id: number, part: Partial<InviteLine>) =>
    onChange(lines.map((line) => (line.id === id ? { ...line, ...part } : line)));
  const paste = (event: ClipboardEvent, id: number) => {
    const addresses = addressesIn(event.clipboardData.getData('text'));
    if (addresses.length < 2) return;
    event.preventDefault();
    onChange(withPasted(lines, id, addresses).slice(0, limits.invitesPerCallMax));
  };
  const add = () => {
    const id = nextIdOf(lines);
    onChange([...lines, { id, email: '', role: lines.at(-1)?.role ?? 'writer' }]);
    // The field exists after the next render.
    requestAnimationFrame(() => focus(id));
  };
  const remove = (id: number) => {
    onChange(lines.filter((line) => line.id !== id));
    addRef.current?.focus();
  };
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-2.5">
        {lines.map((line, place) => {
          const name = line.email.trim() || `person ${place + 1}`;
          return (
            <li key={line.id} className="flex items-start gap-2 max-sm:flex-wrap">
              <TextField
                ref={(field) => {
                  if (field) fields.current.set(line.id, field);
                  else fields.current.delete(line.id);
                }}
                label={`Email address of person ${place + 1}`}
                isLabelHidden
                type="email"
                inputMode="email"
                autoComplete="off"
                autoFocus={hasAutoFocus && place === 0}
                placeholder="ada@example.org"
                maxLength={limits.emailCharactersMax}
                value={line.email}
                onValueChange={(email) => set(line.id, { email })}
                onPaste={(event) => paste(event, line.id)}
                error={faults.get(line.id)}
                className="flex-1 max-sm:basis-full"
              />
              <RoleSelect
                of={name}
                value={line.role}
                onChange={(role) => set(line.id, { role })}
                className="h-9 w-28 max-sm:flex-1"
              />
              <Button
                look="quiet"
                size="icon"
                aria-label={`Leave out ${name}`}
                disabled={lines.length === 1 && line.email === ''}
                onClick={() => (lines.length === 1 ? set(line.id, { email: '' }) : remove(line.id))}
              >
                <X aria-hidden className="size-4" />
              </Button>
            </li>
          );
        })}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Button ref={addRef} size="sm" disabled={lines.length >= limits.invitesPerCallMax} onClick={add}>
          <Plus aria-hidden className="size-3.5" />
          Add another
        </Button>
        <p className="text-faint text-xs">You can paste a list of addresses.</p>
      </div>
      {isOutbox && (
        <p className="text-soft text-xs">
          This installation doesn't send email. The operator finds the links in the outbox.
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-faint text-xs">
        {Object.values(roleTexts).map(({ label, hint }) => (
          <div key={label} className="contents">
            <dt className="font-medium text-soft">{label}</dt>
            <dd>{hint}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
