import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type AuditEntry, type AuditNoun, auditActions } from '#contract/audit.ts';
import { toRequest } from '#contract/endpoint.ts';
import { installationAuditEndpoints } from '#contract/operator.ts';
import { OperatorPage } from '../features/operator/operator-page.tsx';
import { installationAuditOptions } from '../features/operator/queries.ts';
import { AuditLog } from '../kit/audit-log.tsx';
import { titledPage } from '../lib/page-title.tsx';
import { Button, buttonClasses } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import type { Column } from '../ui/table.tsx';

const nouns: Record<AuditNoun, string> = {
  account: 'Accounts',
  session: 'Sign-ins',
  password: 'Passwords',
  email: 'Email addresses',
  identity: 'Sign-in methods',
  'sign-on': 'Single sign-on',
  key: 'API keys',
  connection: 'Applications',
  module: 'Sources',
  repository: 'Repositories',
  'pdf-set': 'PDF sets',
  'source-credential': 'Source credentials',
  'index-request': 'Agent requests',
  hosting: 'Code hosts',
  'git-host': 'Keys of git hosts',
  profile: 'Projects and display names',
  chat: 'Conversations',
  team: 'Teams',
  member: 'Members',
  invite: 'Invites',
  seats: 'Seats',
  credits: 'Credits',
  subscription: 'Subscriptions',
  checkout: 'Payment pages',
  payment: 'Refused payments',
  incident: 'Incidents',
  'marketing-consent': 'Consent to updates',
  conf: 'Conference',
};
const options = [
  { value: 'all', label: 'Everything' },
  ...Object.entries(nouns).map(([value, label]) => ({ value, label })),
];

/** Audit log of the whole installation, newest first. */
function AuditScreen() {
  const [params, setParams] = useSearchParams();
  const noun = options.find(({ value }) => value === params.get('show'))?.value ?? 'all';
  const who = params.get('who') ?? '';
  const [typed, setTyped] = useState(who);
  const show = (change: { show?: string; who?: string }) => {
    const next = { show: noun, who, ...change };
    setParams(
      { ...(next.show === 'all' ? {} : { show: next.show }), ...(next.who === '' ? {} : { who: next.who }) },
      { replace: true, preventScrollReset: true },
    );
  };
  const filters = { action: noun === 'all' ? undefined : noun, who: who === '' ? undefined : who };
  const find = (event: FormEvent) => {
    event.preventDefault();
    show({ who: typed.trim() });
  };
  return (
    <OperatorPage
      title="Audit log"
      about="Who did what in this installation, teams included."
      action={
        <a
          href={toRequest(installationAuditEndpoints.exportInstallationAudit, filters).path}
          download
          className={buttonClasses('plain', 'sm')}
        >
          <Download aria-hidden className="size-3.5" />
          Export CSV
        </a>
      }
    >
      <form onSubmit={find} aria-label="Filters" className="flex flex-wrap items-center gap-2">
        <Select
          label="Show"
          value={noun}
          options={options}
          onChange={(value) => show({ show: value })}
          className="h-9"
        />
        <TextField
          label="Account"
          isLabelHidden
          placeholder="Email of an account"
          autoComplete="off"
          value={typed}
          onValueChange={setTyped}
          className="flex-1 basis-44 sm:max-w-72"
        />
        <Button type="submit">Filter</Button>
      </form>
      <Log
        filters={filters}
        onClear={() => {
          setTyped('');
          show({ show: 'all', who: '' });
        }}
      />
    </OperatorPage>
  );
}

export default titledPage('Audit log', AuditScreen);

function Log({
  filters,
  onClear,
}: {
  filters: { action?: string | undefined; who?: string | undefined };
  onClear: () => void;
}) {
  return (
    <AuditLog
      caption="Audit log"
      log={useInfiniteQuery(installationAuditOptions(filters))}
      actorOf={actorOf}
      actionOf={actionInWords}
      columns={[teamColumn]}
      details={detailsOf}
      isFiltered={filters.action !== undefined || filters.who !== undefined}
      emptyText="No entries match these filters."
      onClear={onClear}
    />
  );
}

function actionInWords(entry: AuditEntry) {
  return (
    <>
      {wordsOf(entry)}
      {entry.entityName !== null && entry.entityName !== actorOf(entry) && (
        <>
          {': '}
          <span className="font-medium text-ink">{entry.entityName}</span>
        </>
      )}
    </>
  );
}

function detailsOf(entry: AuditEntry) {
  if (Object.keys(entry.detail).length === 0) return undefined;
  return {
    label: `Details of ${wordsOf(entry)}`,
    content: (
      <pre className="whitespace-pre-wrap break-all font-mono text-soft text-xs">
        {JSON.stringify(entry.detail, null, 2)}
      </pre>
    ),
  };
}

const teamColumn: Column<AuditEntry> = {
  id: 'team',
  label: 'Team',
  isWide: true,
  cell: ({ team }) => (
    <span className="wrap-anywhere text-soft">{team === null ? '' : (team.name ?? 'Deleted team')}</span>
  ),
};

function wordsOf({ action }: AuditEntry): string {
  return (auditActions as Record<string, string>)[action] ?? action;
}

function actorOf({ actor }: AuditEntry): string {
  return actor === null ? 'System or deleted account' : actor.displayName || (actor.email ?? actor.userId);
}
