import type { NewRow } from '#server/platform/db/schema.ts';

/** Returns a module row with all required columns. */
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

/** Returns an account row with all required columns, by default without credits. */
export function userRow(values: Partial<NewRow<'users'>> & { id: string }): NewRow<'users'> {
  return { email: `${values.id}@example.org`, displayName: values.id, createdAt: 0, ...values };
}
