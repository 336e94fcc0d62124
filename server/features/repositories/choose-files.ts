import * as limits from '#contract/limits.ts';
import {
  type DocumentFormat,
  formatOf,
  isManualName,
  isTestData,
  mayOfferDeclarations,
} from '#server/ingest/formats/format-of.ts';
import type { TreeEntry } from '#server/platform/git/index.ts';
import { inTurn } from '#server/platform/in-turn.ts';

/** From this number of files on, only documentation is read. */
export const filesOfSmallRepositoryMax = 2_000;

/** Folders of third-party and generated code. */
const vendoredFolders =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[-_]party|__pycache__|site-packages|Pods|Carthage|\.?venv)\//;
const generatedFiles =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|composer\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Gemfile\.lock|go\.sum|flake\.lock)$|\.(?:min\.(?:js|css)|map|snap|svg|po|pot)$|\.pb\.go$|_pb2\.py$/i;
/** Extensions of binary files; other files count as text until their bytes show otherwise. */
const binaryFiles =
  /\.(?:png|jpe?g|gif|ico|webp|avif|bmp|tiff?|psd|ai|sketch|fig|xcf|docx?|xlsx?|pptx?|od[tsp]|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|ear|class|so|dll|exe|dylib|a|o|obj|lib|bin|dat|wasm|pyc|pyd|whl|egg|gem|deb|rpm|dmg|iso|img|apk|ipa|woff2?|ttf|otf|eot|mp[34]|m4[av]|mov|avi|mkv|webm|ogg|wav|flac|onnx|pt|pth|h5|safetensors|gguf|npy|npz|parquet|arrow|feather|pkl|db|sqlite3?|mdb|blend|fbx|glb|gltf|stl|keystore|jks|p12|pfx|der|crt|cer|key|pem)$/i;

/** Formats of documentation (decisions on indexing); plain text and data only count if their name says so. */
const documentation: ReadonlySet<string> = new Set([
  ...['markdown', 'mdx', 'rst', 'asciidoc', 'notebook', 'openapi', 'graphql', 'man', 'html'],
  ...['org', 'pod', 'texinfo', 'rd', 'rdoc', 'topic', 'docbook'],
]);
const readme = /(?:^|\/)(?:readme|llms)(?:[._-][\w.-]*)?$/i;

export interface ChosenFile {
  path: string;
  /** Id of its content. */
  id: string;
  /** `text`: any text; `declarations`: only doc comments. */
  readAs: 'documentation' | 'text' | 'declarations' | 'pdf';
}

/**
 * Chooses the files of a revision to read: all text of a small repository; documentation and declarations' comments of
 * a larger one. Documentation comes first, so that a limit omits other files.
 */
export async function chooseFiles(
  entries: readonly TreeEntry[],
  onSkip: (path: string, reason: string) => void,
): Promise<ChosenFile[]> {
  let pdfFiles = 0;
  const isSmall = entries.filter(({ kind }) => kind === 'file').length < filesOfSmallRepositoryMax;
  const chosen: ChosenFile[] = [];
  for await (const entry of inTurn(entries)) {
    const { path, id } = entry;
    const reason = path === undefined ? 'bad-name' : skipReason(entry, path);
    const readAs = path === undefined || reason !== undefined ? undefined : readingOf(path, isSmall);
    if (path === undefined || readAs === undefined) onSkip(shown(path), reason ?? 'not-documentation');
    else if (readAs === 'pdf' && ++pdfFiles > limits.pdfFilesPerSourceMax) onSkip(shown(path), 'pdf-limit');
    else chosen.push({ path, id, readAs });
  }
  const isFirst = ({ readAs }: ChosenFile) => readAs === 'documentation';
  return [...chosen.filter(isFirst), ...chosen.filter((file) => !isFirst(file))];
}

/** Escapes a path for display, since the committer can choose any name. */
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
  return binaryFiles.test(path) && !isManualName(path) ? 'binary' : undefined;
}

/** Returns how to read a file; undefined if it is skipped. */
function readingOf(path: string, isSmall: boolean): ChosenFile['readAs'] | undefined {
  if (isTestData(path)) return undefined;
  if (/\.pdf$/i.test(path)) return 'pdf';
  if (isDocumentation(path)) return 'documentation';
  if (isSmall) return 'text';
  // Its root element shows whether it is documentation.
  if (/\.xml$/i.test(path)) return 'documentation';
  return mayOfferDeclarations(path) ? 'declarations' : undefined;
}

function isDocumentation(path: string): boolean {
  if (readme.test(path) || isApiDescription(path) || isManualName(path)) return true;
  return documentation.has(formatByName(path) ?? '');
}

function isApiDescription(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /^[\w.-]+$/.test(name) && /openapi|swagger|asyncapi/i.test(name) && /\.(?:json|ya?ml)$/i.test(name);
}

/** Returns the format that a name alone indicates: no bytes are loaded yet. */
function formatByName(path: string): DocumentFormat | undefined {
  if (/\.x?html?$/i.test(path)) return 'html';
  return formatOf(path, 'application/x-unknown', new Uint8Array());
}
