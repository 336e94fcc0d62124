import { type DocumentFormat, formatOf } from '#server/ingest/formats/index.ts';
import type { TreeEntry } from '#server/platform/git/index.ts';

/** From so many files on, only documentation is read. */
export const filesOfSmallRepositoryMax = 2_000;

/** Programs that others have written, and what programs have made. */
const vendoredFolders =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[-_]party|__pycache__|site-packages|Pods|Carthage|\.?venv)\//;
const generatedFiles =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|composer\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Gemfile\.lock|go\.sum|flake\.lock)$|\.(?:min\.(?:js|css)|map|snap|svg|po|pot)$|\.pb\.go$|_pb2\.py$/i;
/** Endings of what is no text; everything else is, until its bytes say otherwise. */
const binaryFiles =
  /\.(?:png|jpe?g|gif|ico|webp|avif|bmp|tiff?|psd|ai|sketch|fig|xcf|pdf|docx?|xlsx?|pptx?|od[tsp]|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|ear|class|so|dll|exe|dylib|a|o|obj|lib|bin|dat|wasm|pyc|pyd|whl|egg|gem|deb|rpm|dmg|iso|img|apk|ipa|woff2?|ttf|otf|eot|mp[34]|m4[av]|mov|avi|mkv|webm|ogg|wav|flac|onnx|pt|pth|h5|safetensors|gguf|npy|npz|parquet|arrow|feather|pkl|db|sqlite3?|mdb|blend|fbx|glb|gltf|stl|keystore|jks|p12|pfx|der|crt|cer|key|pem)$/i;

/** How documentation is written (decisions on indexing); of plain text and data only what says so by its name. */
const documentation: ReadonlySet<string> = new Set([
  'markdown',
  'mdx',
  'rst',
  'asciidoc',
  'notebook',
  'openapi',
  'man',
  'html',
]);
const readme = /(?:^|\/)(?:readme|llms(?:-\w+)?)(?:[._-][\w.-]*)?$/i;
const apiDescription = /(?:^|\/)(?:[\w.-]*(?:openapi|swagger)[\w.-]*)\.(?:json|ya?ml)$/i;
const writtenAsText = /\.(?:adoc|asciidoc|[1-9]|[1-9][a-z]{1,2}|mdoc)$/i;
/** Whose doc comments are read as passages of their own. */
const declarations: ReadonlySet<string> = new Set(['declarations', 'docstrings']);

export interface ChosenFile {
  path: string;
  /** Of its content. */
  id: string;
  isDocumentation: boolean;
}

/**
 * Chooses which files of a revision are read: of a small repository all text, of a larger one documentation and the
 * comments of declarations. Documentation comes first, so that a limit takes the rest.
 */
export function chooseFiles(
  entries: readonly TreeEntry[],
  onSkip: (path: string, reason: string) => void,
): ChosenFile[] {
  const isSmall = entries.filter(({ kind }) => kind === 'file').length < filesOfSmallRepositoryMax;
  const chosen: ChosenFile[] = [];
  for (const entry of entries) {
    const { path } = entry;
    const reason = path === undefined ? 'bad-name' : (skipReason(entry, path) ?? reasonByContent(path, isSmall));
    if (path === undefined || reason !== undefined) onSkip(shown(path), reason ?? 'bad-name');
    else chosen.push({ path, id: entry.id, isDocumentation: isDocumentation(path) });
  }
  return [...chosen.filter((file) => file.isDocumentation), ...chosen.filter((file) => !file.isDocumentation)];
}

/** The names of a tree come from whoever pushed it. */
function shown(path: string | undefined): string {
  return path === undefined ? '(a name that is not UTF-8)' : JSON.stringify(path).slice(1, -1).slice(0, 500);
}

function skipReason({ kind }: TreeEntry, path: string): string | undefined {
  if (kind === 'submodule') return 'submodule';
  if (kind === 'link') return 'symbolic-link';
  const parts = path.split('/');
  if (/[\u0000-\u001f\u007f\\]/.test(path) || parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'bad-name';
  }
  if (parts.some((part) => part.startsWith('.'))) return 'hidden';
  if (vendoredFolders.test(path)) return 'vendored';
  if (generatedFiles.test(path)) return 'generated';
  return binaryFiles.test(path) ? 'binary' : undefined;
}

function reasonByContent(path: string, isSmall: boolean): string | undefined {
  return isSmall || isDocumentation(path) || isDeclaration(path) ? undefined : 'not-documentation';
}

function isDocumentation(path: string): boolean {
  if (readme.test(path) || apiDescription.test(path) || writtenAsText.test(path)) return true;
  return documentation.has(formatByName(path) ?? '');
}

function isDeclaration(path: string): boolean {
  return declarations.has(formatByName(path) ?? '');
}

/** What a name alone says: no bytes are there yet. */
function formatByName(path: string): DocumentFormat | undefined {
  if (/\.x?html?$/i.test(path)) return 'html';
  return formatOf(path, 'application/x-unknown', new Uint8Array());
}
