import type { NewRow } from '#server/platform/db/schema.ts';

/** A module row with everything needed filled in. */
export function moduleRow(values: Partial<NewRow<'modules'>> & { id: string }): NewRow<'modules'> {
  return {
    workspace: 'public',
    slug: values.id,
    displayName: values.id,
    kind: 'site',
    source: '{}',
    createdAt: 0,
    createdByUserId: 'nobody',
    ...values,
  };
}

/** An account row with everything needed filled in; it has no credits unless told. */
export function userRow(values: Partial<NewRow<'users'>> & { id: string }): NewRow<'users'> {
  return { email: `${values.id}@example.org`, displayName: values.id, createdAt: 0, ...values };
}
