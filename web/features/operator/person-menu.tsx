import { Ban, Coins, Ellipsis, KeyRound, LogOut, RotateCcw, ShieldCheck, ShieldOff, UserRoundX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { Person } from '#contract/operator.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { countOf } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import { usePeopleActions } from './queries.ts';

type Action = 'link' | 'sign-out' | 'credits' | 'operator' | 'disable' | 'delete';

interface PersonMenuProps {
  person: Person;
  isOwn: boolean;
  areCreditsOn: boolean;
  onLink: (link: { name: string; url: string; isMailed: boolean }) => void;
}

export function nameOf({ displayName, email, userId }: Person): string {
  return displayName || (email ?? userId);
}

/** An operator's actions on an account. Those that end access ask for confirmation first. */
export function PersonMenu({ person, isOwn, areCreditsOn, onLink }: PersonMenuProps) {
  const [asked, setAsked] = useState<Action>();
  const isKept = isOwn || person.isLocalOwner;
  const isDisabled = person.disabledAt !== null;
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={`More for ${nameOf(person)}`} />}>
        {person.email !== null && (
          <MenuItem icon={KeyRound} onSelect={() => setAsked('link')} label="New password link…" />
        )}
        <MenuItem icon={LogOut} onSelect={() => setAsked('sign-out')} label="Sign out everywhere…" />
        {areCreditsOn && !person.isOperator && (
          <MenuItem icon={Coins} onSelect={() => setAsked('credits')} label="Adjust credits…" />
        )}
        {!isKept && (
          <>
            <MenuSeparator />
            <MenuItem
              icon={person.isOperator ? ShieldOff : ShieldCheck}
              label={person.isOperator ? 'Remove operator role…' : 'Make operator…'}
              onSelect={() => setAsked('operator')}
            />
            <MenuItem
              icon={isDisabled ? RotateCcw : Ban}
              label={isDisabled ? 'Enable account…' : 'Disable account…'}
              isDangerous={!isDisabled}
              onSelect={() => setAsked('disable')}
            />
            {!person.isOperator && (
              <MenuItem icon={UserRoundX} isDangerous onSelect={() => setAsked('delete')} label="Delete account…" />
            )}
          </>
        )}
      </Menu>
      <ActionDialog
        key={asked ?? 'none'}
        asked={asked}
        person={person}
        onLink={onLink}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

interface ActionDialogProps extends Pick<PersonMenuProps, 'person' | 'onLink'> {
  asked: Action | undefined;
  onClose: () => void;
}

interface Question {
  title: string;
  body: ReactNode;
  label: string;
  look?: 'danger' | 'action';
  /** Resolves with the toast's text. */
  run: () => Promise<string>;
}

function ActionDialog({ asked, person, onLink, onClose }: ActionDialogProps) {
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [isExtra, setIsExtra] = useState(false);
  const [amount, setAmount] = useState('');
  const parts: QuestionParts = { person, actions: usePeopleActions(), onLink, isExtra, setIsExtra, amount, setAmount };
  const questions: Record<Action, Question> = { ...accessQuestions(parts), ...roleQuestions(parts) };
  const question = asked && questions[asked];
  const confirm = async () => {
    if (question === undefined || isBusy) return;
    setIsBusy(true);
    setError(undefined);
    try {
      toast({ message: await question.run() });
      onClose();
    } catch (fault) {
      setError(fault instanceof RangeError ? fault.message : sentenceForPeople(fault));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <ConfirmDialog
      isOpen={question !== undefined}
      onClose={onClose}
      title={question?.title ?? ''}
      actionLabel={question?.label ?? ''}
      look={question?.look ?? 'danger'}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void confirm()}
    >
      {question?.body}
    </ConfirmDialog>
  );
}

interface QuestionParts extends Pick<PersonMenuProps, 'person' | 'onLink'> {
  actions: ReturnType<typeof usePeopleActions>;
  isExtra: boolean;
  setIsExtra: (isExtra: boolean) => void;
  amount: string;
  setAmount: (amount: string) => void;
}

function accessQuestions(parts: QuestionParts): Record<'link' | 'sign-out' | 'credits', Question> {
  const { person, actions, onLink, isExtra, setIsExtra, amount, setAmount } = parts;
  const name = nameOf(person);
  const { userId } = person;
  return {
    link: {
      title: `Create a password link for ${name}?`,
      body: (
        <>
          <p>The link lets its holder choose a new password. The current password works until then.</p>
          <Checkbox label="Send it by email too" isChecked={isExtra} onChange={setIsExtra} />
        </>
      ),
      label: 'Create link',
      look: 'action',
      run: async () => {
        const link = await actions.passwordLink.mutateAsync({ whose: userId, isMailed: isExtra });
        onLink({ name, ...link });
        return 'The link is ready';
      },
    },
    'sign-out': {
      title: `Sign ${name} out everywhere?`,
      body: (
        <>
          <p>Every browser session ends. They can sign in again.</p>
          <Checkbox
            label="Revoke API keys and connected applications too"
            hint="Agents that use them stop working and need new ones."
            isChecked={isExtra}
            onChange={setIsExtra}
          />
        </>
      ),
      label: 'Sign out',
      run: async () => {
        await actions.signOut.mutateAsync({ whose: userId, endsAgents: isExtra });
        return `${name} signed out`;
      },
    },
    credits: {
      title: `Adjust ${name}'s credits?`,
      body: (
        <TextField
          label="Credits to add"
          inputMode="numeric"
          value={amount}
          onValueChange={setAmount}
          hint={`Current balance: ${person.credits.toLocaleString('en')}. A negative number removes credits; the balance can't go below 0.`}
        />
      ),
      label: 'Adjust credits',
      look: 'action',
      run: async () => {
        const number = Number(amount);
        if (!Number.isInteger(number) || number === 0 || Math.abs(number) > limits.creditsAdjustedMax) {
          throw new RangeError('Enter a whole number such as 500 or -500.');
        }
        const { purchasedCredits } = await actions.adjustCredits.mutateAsync({ whose: userId, amount: number });
        return `${name} has ${countOf(purchasedCredits, 'credit')}`;
      },
    },
  };
}

function roleQuestions({ person, actions }: QuestionParts): Record<'operator' | 'disable' | 'delete', Question> {
  const name = nameOf(person);
  const { userId } = person;
  return {
    operator: person.isOperator
      ? {
          title: `Remove ${name}'s operator role?`,
          body: <p>They keep their account and can no longer manage people and settings.</p>,
          label: 'Remove role',
          run: async () => {
            await actions.update.mutateAsync({ whose: userId, isOperator: false });
            return `${name} is no longer an operator`;
          },
        }
      : {
          title: `Make ${name} an operator?`,
          body: <p>Operators manage every account, read the audit log and the settings, and index for everyone.</p>,
          label: 'Make operator',
          look: 'action',
          run: async () => {
            await actions.update.mutateAsync({ whose: userId, isOperator: true });
            return `${name} is an operator`;
          },
        },
    disable:
      person.disabledAt === null
        ? {
            title: `Disable ${name}'s account?`,
            body: <p>They are signed out, and their API keys and applications stop working. Nothing is deleted.</p>,
            label: 'Disable account',
            run: async () => {
              await actions.update.mutateAsync({ whose: userId, isDisabled: true });
              return `${name} disabled`;
            },
          }
        : {
            title: `Enable ${name}'s account?`,
            body: <p>They can sign in again, and their API keys and applications work again.</p>,
            label: 'Enable account',
            look: 'action',
            run: async () => {
              await actions.update.mutateAsync({ whose: userId, isDisabled: false });
              return `${name} enabled`;
            },
          },
    delete: {
      title: `Delete ${name}'s account?`,
      body: (
        <p>
          Their sources, API keys, activity and subscription are deleted too. This cannot be undone. To keep them,
          disable the account instead.
        </p>
      ),
      label: 'Delete account',
      run: async () => {
        await actions.remove.mutateAsync({ whose: userId });
        return `${name} deleted`;
      },
    },
  };
}
