import type { Ecosystem } from '#contract/profile.ts';
import { webAddressOf } from './addresses.ts';

/** A registry's data about one version of a library; addresses in normalized form, not yet checked. */
export interface Declared {
  repository: string | undefined;
  /** Tag in the repository, if the registry knows it. */
  tag: string | undefined;
  /** Best first. */
  documentation: string[];
}

export interface RegistryReader {
  /** Path relative to the registry's address. */
  path(name: string, version: string): string;
  /** Path of the data about all versions, for registries that have pages for some versions only. */
  pathOfAll?(name: string): string;
  read(answer: unknown, library: { name: string; version: string }): Declared;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 2_000) : '');

/**
 * The repository is the first text that names one, or else a page that is a repository; all other pages are
 * documentation.
 */
function declared(repositories: unknown[], pages: unknown[], tag?: string): Declared {
  const named = repositories.map((text) => webAddressOf(textOf(text), 'repository'));
  const seen = pages.map((text) => webAddressOf(textOf(text)));
  const repository = [...named, ...seen].find((one) => one?.isRepository === true)?.url;
  const documentation = seen.flatMap((one) => (one === undefined || one.isRepository ? [] : [one.url]));
  return { repository, tag, documentation: [...new Set(documentation)] };
}

export const readers: Record<Ecosystem, RegistryReader> = {
  npm: {
    path: (name, version) => `/${encodeURIComponent(name).replace('%40', '@')}/${encodeURIComponent(version)}`,
    read(answer) {
      const { repository, homepage } = fieldsOf(answer);
      return declared([textOf(repository) || fieldsOf(repository)['url']], [homepage]);
    },
  },
  pypi: {
    path: (name, version) => `/pypi/${encodeURIComponent(name)}/${encodeURIComponent(version)}/json`,
    pathOfAll: (name) => `/pypi/${encodeURIComponent(name)}/json`,
    read(answer) {
      const info = fieldsOf(fieldsOf(answer)['info']);
      const links = Object.entries(fieldsOf(info['project_urls'])).map(
        ([label, url]) => [label.toLowerCase(), url] as const,
      );
      const named = (names: RegExp) => links.filter(([label]) => names.test(label)).map(([, url]) => url);
      return declared(named(/^(?:source|source[ -_]?code|repository|code|github|gitlab)$/), [
        ...named(/^(?:documentation|docs?)$/),
        info['docs_url'],
        ...named(/^home ?-?page$/),
        info['home_page'],
      ]);
    },
  },
  crates: {
    path: (name) => `/api/v1/crates/${encodeURIComponent(name)}`,
    read(answer, { name, version }) {
      const crate = fieldsOf(fieldsOf(answer)['crate']);
      const own = textOf(crate['documentation']);
      // docs.rs has every version of every crate; documentation elsewhere covers only one of them.
      const page = `https://docs.rs/${name}/${version}/${name.replaceAll('-', '_')}/`;
      return declared(
        [crate['repository']],
        [page, ...(/^https?:\/\/docs\.rs\//.test(own) ? [] : [own]), crate['homepage']],
      );
    },
  },
  go: {
    path: (name, version) => `/${escapedModule(name)}/@v/${escapedModule(goVersion(version))}.info`,
    read(answer, { name, version }) {
      const origin = fieldsOf(fieldsOf(answer)['Origin']);
      const tag = /^refs\/tags\/(.+)$/.exec(textOf(origin['Ref']))?.[1];
      const repository = textOf(origin['URL']) || `https://${name.split('/').slice(0, 3).join('/')}`;
      const isHosted =
        origin['URL'] !== undefined || /^(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)\//.test(name);
      return declared(isHosted ? [repository] : [], [`https://pkg.go.dev/${name}@${goVersion(version)}`], tag);
    },
  },
  rubygems: {
    path: (name, version) =>
      `/api/v2/rubygems/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}.json`,
    read(answer) {
      const gem = fieldsOf(answer);
      return declared([gem['source_code_uri']], [gem['documentation_uri'], gem['homepage_uri']]);
    },
  },
  packagist: {
    path: (name) => `/p2/${name.split('/').map(encodeURIComponent).join('/')}.json`,
    read: (answer, { name, version }) => readPackagist(answer, name, version),
  },
};

/** Each entry after the first contains only its differences from the previous one. */
function readPackagist(answer: unknown, name: string, version: string): Declared {
  const entries = fieldsOf(fieldsOf(answer)['packages'])[name];
  let whole: Fields = {};
  for (const entry of Array.isArray(entries) ? entries : []) {
    whole = { ...whole, ...fieldsOf(entry) };
    const tag = textOf(whole['version']);
    if (tag.replace(/^v(?=\d)/, '') !== version) continue;
    const support = fieldsOf(whole['support']);
    return declared([fieldsOf(whole['source'])['url']], [support['docs'], whole['homepage']], tag);
  }
  return declared([], []);
}

/** Encodes capitals as `!` and the lower-case letter, because file systems that hold the cache may ignore case. */
function escapedModule(text: string): string {
  return text
    .replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll('%21', '!'))
    .join('/');
}

const goVersion = (version: string): string => (version.startsWith('v') ? version : `v${version}`);
