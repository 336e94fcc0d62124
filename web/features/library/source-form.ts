import { startIndexJobInput } from '#contract/library.ts';
import type { StartJobInput } from './queries.ts';

/** The form as typed; empty means "decide for me". */
export interface SourceFields {
  source: string;
  moduleId: string;
  displayName: string;
  maxPages: string;
  depth: string;
  isPrivate: boolean;
}

export const emptySourceFields: SourceFields = {
  source: '',
  moduleId: '',
  displayName: '',
  maxPages: '',
  depth: '',
  isPrivate: false,
};

export type SourceProblems = Partial<Record<keyof SourceFields, string>>;

/** The call the form asks for, or what is wrong with each field. An address may be pasted without its https://. */
export function readSourceForm(fields: SourceFields): { input: StartJobInput } | { problems: SourceProblems } {
  const maxPages = wholeNumber(fields.maxPages);
  const depth = wholeNumber(fields.depth);
  const candidate = {
    source: withScheme(fields.source.trim()),
    moduleId: fields.moduleId.trim() || undefined,
    displayName: fields.displayName.trim() || undefined,
    visibility: fields.isPrivate ? ('private' as const) : ('public' as const),
    maxPages,
    depth,
  };
  const problems: SourceProblems = {};
  const parsed = startIndexJobInput.safeParse(candidate);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const field = path[0];
    if (typeof field === 'string' && field in emptySourceFields)
      problems[field as keyof SourceFields] ??= sentence(message);
  }
  if (candidate.source === '') problems.source = 'Give the address of the documentation.';
  else if (!isAddressOrFolder(candidate.source))
    problems.source = 'This is not an address. It looks like https://docs.example.com/.';
  if (Number.isNaN(maxPages)) problems.maxPages = 'Give a whole number.';
  if (Number.isNaN(depth)) problems.depth = 'Give a whole number.';
  return Object.keys(problems).length > 0 ? { problems } : { input: candidate };
}

function withScheme(source: string): string {
  return source === '' || source.startsWith('/') || source.includes('://') ? source : `https://${source}`;
}

function isAddressOrFolder(source: string): boolean {
  if (source.startsWith('/')) return true;
  if (/\s/.test(source) || !URL.canParse(source)) return false;
  const { protocol, hostname } = new URL(source);
  return (
    (protocol === 'http:' || protocol === 'https:') &&
    (hostname.includes('.') || hostname === 'localhost' || hostname.startsWith('['))
  );
}

function wholeNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^\d+$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, '.');
}
