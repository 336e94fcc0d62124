import { endpointGroups } from '../../contract/reference.ts';
import { callablesGroup, otherCalls } from '../../server/http/openapi/document.ts';

/** Returns the last path segment of a group's page. */
export function slugOfTag(tag: string): string {
  const group = [...endpointGroups, callablesGroup, otherCalls].find(({ title }) => title === tag);
  if (group === undefined) throw new Error(`no group of the reference is called ${tag}`);
  return group.slug;
}
