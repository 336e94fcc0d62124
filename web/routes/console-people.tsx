import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Search, UserRoundPlus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Person } from '#contract/operator.ts';
import { AddPerson } from '../features/operator/add-person.tsx';
import { OperatorPage } from '../features/operator/operator-page.tsx';
import { nameOf, PersonMenu } from '../features/operator/person-menu.tsx';
import { peopleOptions } from '../features/operator/queries.ts';
import { useAddressFilters, useFilterWords } from '../kit/address-filters.ts';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { creditInfoOptions } from '../lib/credit-queries.ts';
import { titledPage } from '../lib/page-title.tsx';
import { useSession } from '../lib/session.ts';
import { useWorkspaceId } from '../lib/workspace.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextField } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { countOf } from '../ui/quantities.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { TableLoading } from '../ui/skeleton.tsx';
import { actionsColumn, type Column, Table } from '../ui/table.tsx';

/** All accounts of the installation, with the operator's actions. */
function PeopleScreen() {
  const [isAdding, setIsAdding] = useState(false);
  const [link, setLink] = useState<{ name: string; url: string; isMailed: boolean }>();
  return (
    <OperatorPage
      title="People"
      about="Everyone who has an account here. Changes take effect immediately."
      action={
        !isAdding && (
          <Button look="action" onClick={() => setIsAdding(true)}>
            <UserRoundPlus aria-hidden className="size-4" />
            Add person
          </Button>
        )
      }
    >
      {isAdding && <AddPerson onClose={() => setIsAdding(false)} onLink={setLink} />}
      {link && <PasswordLinkPanel {...link} onClose={() => setLink(undefined)} />}
      <People onLink={setLink} />
    </OperatorPage>
  );
}

export default titledPage('People', PeopleScreen);

type OnLink = (link: { name: string; url: string; isMailed: boolean }) => void;

function People({ onLink }: { onLink: OnLink }) {
  const [params, change] = useAddressFilters();
  const query = params.get('q') ?? '';
  const people = useInfiniteQuery(peopleOptions(query));
  const credits = useQuery(creditInfoOptions(useWorkspaceId())).data;
  const ownId = useSession().data?.user?.uid;
  const [typed, setTyped] = useFilterWords(query, (q) => change({ q }));
  const count = people.data?.pages[0]?.count;
  const rows = people.data?.pages.flatMap((page) => page.people) ?? [];
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="relative w-full sm:w-80">
          <TextField
            label="Search people"
            isLabelHidden
            type="search"
            placeholder="Name or email"
            value={typed}
            onValueChange={setTyped}
            after={<Search aria-hidden className="absolute top-2.5 right-3 size-4 text-faint" />}
          />
        </div>
        <p role="status" className="text-faint text-sm">
          {count === undefined ? '' : `${countOf(count, 'account')}`}
        </p>
      </div>
      {people.isError ? (
        <RetryNotice query={people} title="Couldn't load the accounts" />
      ) : people.data === undefined ? (
        <TableLoading label="Loading people…" rows={3} height="h-14" />
      ) : rows.length === 0 ? (
        <p className="rounded-lg border border-line bg-surface px-6 py-10 text-center text-soft">
          No account matches “{query}”.
        </p>
      ) : (
        <Table
          caption="People"
          columns={columnsFor({ ownId, areCreditsOn: credits?.areCreditsOff === false, onLink })}
          rows={rows}
          rowKey={({ userId }) => userId}
          isPaged
        />
      )}
      {people.hasNextPage && (
        <Button className="self-center" isBusy={people.isFetchingNextPage} onClick={() => void people.fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

function columnsFor(parts: { ownId: string | undefined; areCreditsOn: boolean; onLink: OnLink }): Column<Person>[] {
  return [
    {
      id: 'person',
      label: 'Person',
      cell: (person) => (
        <div className="flex min-w-0 items-center gap-3">
          <Avatar name={nameOf(person)} isOutline={person.disabledAt !== null} />
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
              <span className="wrap-anywhere font-medium text-ink">{nameOf(person)}</span>
              <Marks person={person} isOwn={person.userId === parts.ownId} />
            </p>
            {person.displayName !== '' && person.email !== null && <p className="text-faint text-xs">{person.email}</p>}
            <p className="text-faint text-xs md:hidden">{accessOf(person)}</p>
          </div>
        </div>
      ),
    },
    {
      id: 'seen',
      label: 'Last active',
      isWide: true,
      cell: ({ lastSeenAt }) => (
        <span className="text-soft">{lastSeenAt === null ? 'Never' : <RelativeTime at={lastSeenAt} />}</span>
      ),
    },
    {
      id: 'created',
      label: 'Created',
      isWide: true,
      cell: ({ createdAt }) => (
        <span className="text-soft">
          <RelativeTime at={createdAt} />
        </span>
      ),
    },
    {
      id: 'access',
      label: 'Access',
      isWide: true,
      cell: (person) => <span className="text-soft">{accessOf(person)}</span>,
    },
    ...(parts.areCreditsOn
      ? [
          {
            id: 'credits',
            label: 'Credits',
            isWide: true,
            isNumeric: true,
            cell: ({ credits, isOperator }: Person) => (isOperator ? 'Unlimited' : credits.toLocaleString('en')),
          },
        ]
      : []),
    actionsColumn((person) => <PersonMenu person={person} isOwn={person.userId === parts.ownId} {...parts} />),
  ];
}

function accessOf({ sessions, apiKeys }: Person): string {
  return `${countOf(sessions, 'session')}, ${countOf(apiKeys, 'API key')}`;
}

function Marks({ person, isOwn }: { person: Person; isOwn: boolean }) {
  return (
    <>
      {isOwn && <Badge>You</Badge>}
      {person.isOperator && <Badge tone="good">Operator</Badge>}
      {person.disabledAt !== null && <Badge tone="bad">Disabled</Badge>}
      {!person.isEmailVerified && <Badge tone="warn">{person.hasPassword ? 'Email not verified' : 'Invited'}</Badge>}
    </>
  );
}

interface PasswordLinkPanelProps {
  name: string;
  url: string;
  isMailed: boolean;
  onClose: () => void;
}

/** A link for setting an account's password, to be passed on by the operator. */
function PasswordLinkPanel({ name, url, isMailed, onClose }: PasswordLinkPanelProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <section aria-labelledby="password-link" className="rounded-xl border border-lamp-line bg-surface shadow-md">
      <div className="flex items-start justify-between gap-4 rounded-t-xl border-lamp-line border-b bg-lamp-ground px-5 py-4">
        <div className="min-w-0">
          <h2 id="password-link" ref={headingRef} tabIndex={-1} className="heading-part rounded-xs">
            Password link for {name}
          </h2>
          <p className="text-soft">
            {isMailed ? 'We sent it by email. You can also pass it on yourself. ' : 'Send it to them yourself. '}
            Anyone who has it can sign in as {name}, so use a private channel. It works once.
          </p>
        </div>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      <div className="flex flex-wrap items-center gap-2 p-5">
        <code className="wrap-anywhere min-w-0 flex-1 basis-64 rounded-md border border-line bg-sunken px-3 py-1.5 font-mono text-ink text-sm">
          {url}
        </code>
        <CopyButton text={url} label="Copy link" isLabelled look="action" size="md" />
      </div>
    </section>
  );
}
