import { useQuery } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import { useSession } from '../../lib/session.ts';
import { siteOptions } from '../../lib/site.ts';
import { individualWorkspace, useWorkspaceId } from '../../lib/workspace.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatCount } from '../../ui/quantities.ts';
import { Select } from '../../ui/select.tsx';
import type { SourceFields, SourceProblems } from './source-form.ts';

export interface SourceOptionsProps {
  fields: SourceFields;
  problems: SourceProblems;
  /** True for a repository, which has a branch and a folder; false for a site, which has links to follow. */
  isRepository: boolean;
  onChange: <Name extends keyof SourceFields>(name: Name, value: SourceFields[Name]) => void;
}

export function SourceOptions({ fields, problems, isRepository, onChange }: SourceOptionsProps) {
  const canRender = useQuery(siteOptions).data?.canRenderScripts === true;
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      {isRepository && (
        <>
          <div className="flex min-w-0 items-end gap-2">
            <Select
              label="Branch or tag"
              isLabelHidden
              value={fields.refKind}
              options={[
                { value: 'branch', label: 'Branch' },
                { value: 'tag', label: 'Tag' },
              ]}
              onChange={(kind) => onChange('refKind', kind === 'tag' ? 'tag' : 'branch')}
              className="mb-6 h-9! w-24"
            />
            <TextField
              label={fields.refKind === 'tag' ? 'Tag' : 'Branch'}
              hint="Defaults to the address's branch or the default branch."
              autoComplete="off"
              spellCheck={false}
              value={fields.ref}
              onValueChange={(value) => onChange('ref', value)}
              className="flex-1"
            />
          </div>
          <TextField
            label="Folder"
            hint="For example, docs."
            autoComplete="off"
            spellCheck={false}
            value={fields.folder}
            onValueChange={(value) => onChange('folder', value)}
          />
        </>
      )}
      <TextField
        label="Name"
        hint="Shown to people."
        autoComplete="off"
        value={fields.displayName}
        onValueChange={(value) => onChange('displayName', value)}
        error={problems.displayName}
      />
      <TextField
        label="Id"
        hint="Agents filter by it. For example, docs.python.org~3."
        autoComplete="off"
        spellCheck={false}
        value={fields.moduleId}
        onValueChange={(value) => onChange('moduleId', value)}
        error={problems.moduleId}
      />
      {!isRepository && (
        <>
          <TextField
            label="Max pages"
            hint={`Up to ${formatCount(limits.pagesPerJobMax)}.`}
            inputMode="numeric"
            placeholder={String(limits.pagesPerJobMax)}
            value={fields.maxPages}
            onValueChange={(value) => onChange('maxPages', value)}
            error={problems.maxPages}
          />
          <TextField
            label="Link depth"
            hint="Maximum number of links from the start address to a page. Leave empty for no limit."
            inputMode="numeric"
            value={fields.depth}
            onValueChange={(value) => onChange('depth', value)}
            error={problems.depth}
          />
        </>
      )}
      <div className="flex flex-col gap-4 sm:col-span-2">
        {canRender && !isRepository && (
          <Checkbox
            label="Run the pages' scripts"
            hint="For sites that are empty without scripts. Much slower."
            isChecked={fields.rendersScripts}
            onChange={(rendersScripts) => onChange('rendersScripts', rendersScripts)}
          />
        )}
        <Visibility
          isPrivate={fields.isPrivate}
          hasCredential={fields.credential !== 'none'}
          onChange={(isPrivate) => onChange('isPrivate', isPrivate)}
        />
      </div>
    </div>
  );
}

/** Returns true for the operator, who may add public modules; other users index for their own workspace. */
export function useMayPublish(): boolean {
  return useSession().data?.user?.isOperator === true;
}

interface VisibilityProps {
  isPrivate: boolean;
  hasCredential: boolean;
  onChange: (isPrivate: boolean) => void;
}

function Visibility({ isPrivate, hasCredential, onChange }: VisibilityProps) {
  const mayPublish = useMayPublish();
  const isInTeam = useWorkspaceId() !== individualWorkspace;
  const reach = isInTeam
    ? "Only the team's members and their keys can search it."
    : 'Only you and your keys can search it.';
  if (hasCredential) return <p className="text-faint text-xs">Private, because it needs a credential. {reach}</p>;
  if (!mayPublish) return <p className="text-faint text-xs">{reach}</p>;
  return <Checkbox label="Private" hint={reach} isChecked={isPrivate} onChange={onChange} />;
}
