import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface RouteScripts {
  parentId?: string;
  module: string;
  imports: string[];
}

interface Manifest {
  entry: { module: string; imports: string[] };
  routes: Record<string, RouteScripts>;
}

/** Groups of scripts (`script-groups.ts`) that every page of a signed-in user loads once the session is known. */
const groupsOfPerson = ['person', 'identity', 'teams'];

/**
 * Returns, by path pattern, the scripts that each route loads after those named in its page. The server names them too,
 * so that they load in parallel.
 */
export function withScripts(routes: [path: string, id: string][], folder: string): Record<string, string[]> {
  const { entry, routes: known } = readManifest(folder);
  const named = new Set([entry.module, ...entry.imports, known['root']?.module]);
  const names = readdirSync(join(folder, 'assets'));
  const ofPerson = names.filter((name) =>
    groupsOfPerson.some((group) => new RegExp(`^${group}-[\\w-]{8}\\.js$`).test(name)),
  );
  const scriptsOf = (id: string | undefined): string[] => {
    const route = known[id ?? ''];
    if (route === undefined) return [];
    const more = id === 'routes/signed-in' ? ofPerson.map((name) => `/assets/${name}`) : [];
    return [route.module, ...route.imports, ...more, ...scriptsOf(route.parentId)];
  };
  return Object.fromEntries(
    routes.map(([path, id]) => [
      path,
      [...new Set(scriptsOf(id).flatMap((script) => withImports(folder, script)))].filter(
        (script) => !named.has(script),
      ),
    ]),
  );
}

function readManifest(folder: string): Manifest {
  const name = readdirSync(join(folder, 'assets')).find((file) => /^manifest-\w+\.js$/.test(file));
  if (name === undefined) throw new Error('the build wrote no manifest');
  const text = readFileSync(join(folder, 'assets', name), 'utf8');
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as Manifest;
}

/** Returns a script preceded by all scripts that it imports. */
function withImports(folder: string, script: string): string[] {
  const text = readFileSync(join(folder, script), 'utf8');
  const imports = [...text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g)];
  return [...imports.flatMap(([, name = '']) => withImports(folder, `/assets/${name}`)), script];
}
