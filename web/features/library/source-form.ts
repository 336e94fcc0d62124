import { startIndexJobInput } from '#contract/library.ts';
import type { StartJobInput } from './queries.ts';

/** The form's values; empty means the default. */
export interface SourceFields {
  source: string;
  moduleId: string;
  displayName: string;
  maxPages: string;
  depth: string;
  refKind: 'branch' | 'tag';
  ref: string;
  folder: string;
  /** Pages are rendered in a browser before they are read. */
  rendersScripts: boolean;
  isPrivate: boolean;
  /** `none`, `new`, or a stored credential's id. */
  credential: string;
}

export const emptySourceFields: SourceFields = {
  source: '',
  moduleId: '',
  displayName: '',
  maxPages: '',
  depth: '',
  refKind: 'branch',
  ref: '',
  folder: '',
  rendersScripts: false,
  isPrivate: false,
  credential: 'none',
};

export type SourceProblems = Partial<Record<keyof SourceFields, string>>;

/** Returns the form's call, or its errors by field. The address may lack https://. */
export function readSourceForm(
  fields: SourceFields,
  kind?: 'site' | 'git' | 'folder' | 'pdf',
): { input: StartJobInput } | { problems: SourceProblems } {
  const isGit = kind === 'git';
  const maxPages = wholeNumber(fields.maxPages);
  const depth = isGit ? undefined : wholeNumber(fields.depth);
  const ref = fields.ref.trim();
  const folder = fields.folder.trim().replace(/^\/+|\/+$/g, '');
  const hasCredential = fields.credential !== 'none';
  const candidate = {
    source: addressOf(fields.source),
    moduleId: fields.moduleId.trim() || undefined,
    displayName: fields.displayName.trim() || undefined,
    visibility: fields.isPrivate || hasCredential ? ('private' as const) : ('public' as const),
    maxPages,
    depth,
    ...(hasCredential && fields.credential !== 'new' ? { credentialId: fields.credential } : {}),
    ...(fields.rendersScripts && !isGit && kind !== 'folder' ? { rendersScripts: true } : {}),
    ...(isGit && ref !== '' ? { ref: { kind: fields.refKind, name: ref } } : {}),
    ...(isGit && folder !== '' ? { folder } : {}),
  };
  const problems: SourceProblems = {};
  const parsed = startIndexJobInput.safeParse(candidate);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const field = path[0];
    if (typeof field === 'string' && field in emptySourceFields)
      problems[field as keyof SourceFields] ??= sentence(message);
  }
  if (candidate.source === '') problems.source = "Enter the documentation's address.";
  else if (!isAddressOrFolder(candidate.source))
    problems.source = 'This is not an address. Enter it as https://docs.example.com/.';
  if (Number.isNaN(maxPages)) problems.maxPages = 'Enter a whole number.';
  if (Number.isNaN(depth)) problems.depth = 'Enter a whole number.';
  return Object.keys(problems).length > 0 ? { problems } : { input: candidate };
}

/** Returns the address that a pasted text stands for. */
export function addressOf(text: string): string {
  const source = text.trim();
  const isWhole = source === '' || source.startsWith('/') || source.includes('://') || shortGitAddress.test(source);
  return isWhole ? source : `https://${source}`;
}

/** `git@host.example:team/docs.git`: the form in which hosts show SSH addresses. */
const shortGitAddress = /^[\w.-]+@[\w.-]+:[^\s]+$/;

/**
 * Returns true if the text is complete enough to ask the server what it is; other texts are mistakes or still being
 * typed.
 */
export function isAddressOrFolder(source: string): boolean {
  if (source.startsWith('/') || shortGitAddress.test(source)) return true;
  if (/\s/.test(source) || !URL.canParse(source)) return false;
  const { protocol, hostname } = new URL(source);
  if (protocol === 'ssh:' || protocol === 'git:') return hostname !== '';
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
