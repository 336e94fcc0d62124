import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '#server/platform/config/config.ts';

interface Service {
  environment?: Record<string, string>;
  restart?: string;
  depends_on?: Record<string, { condition: string }> | string[];
  healthcheck?: unknown;
}

const file = readFileSync(new URL('../../deploy/compose.yaml', import.meta.url), 'utf8');
const { services } = parse(file, { merge: true }) as { services: Record<string, Service> };
const secrets: Record<string, string> = {
  ...{ POSTGRES_PASSWORD: 'a1', S3_SECRET: 'b2' },
  LECTERN_SECRET: 'ab'.repeat(32),
};

function filledIn(value: string): string {
  return value.replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, name: string) => secrets[name] ?? '');
}

test('the services of the compose file have a valid configuration, wait for their dependencies and restart', () => {
  for (const name of ['web', 'mcp', 'worker']) {
    const { environment = {}, restart, depends_on } = services[name] ?? {};
    const filled = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filledIn(value)]));
    expect(loadConfig(filled).config.roles).toEqual([name]);
    expect([name, restart]).toEqual([name, 'unless-stopped']);
    expect(depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      bucket: { condition: 'service_completed_successfully' },
    });
  }
  expect(services['postgres']?.healthcheck).toBeDefined();
  for (const { depends_on = [] } of Object.values(services)) {
    const named = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const other of named) expect(Object.keys(services)).toContain(other);
  }
});

interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: {
    selector: { matchLabels: Record<string, string> };
    minAvailable?: number;
    replicas: number;
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        terminationGracePeriodSeconds: number;
        enableServiceLinks?: boolean;
        containers: [Container];
        volumes: { name: string }[];
      };
    };
  };
}

interface Container {
  env: { name: string; value: string }[];
  ports: [{ containerPort: number }];
  volumeMounts: { name: string }[];
  readinessProbe: { httpGet: { path: string } };
  livenessProbe: { httpGet: { path: string } };
}

/** The variables that Kubernetes gives the containers of a namespace for a service, unless they opt out. */
function linksOf({ metadata }: Manifest): Record<string, string> {
  const name = metadata.name.toUpperCase().replaceAll('-', '_');
  return {
    [`${name}_SERVICE_HOST`]: '10.96.1.2',
    [`${name}_SERVICE_PORT`]: '80',
    [`${name}_PORT`]: 'tcp://10.96.1.2:80',
    [`${name}_PORT_80_TCP`]: 'tcp://10.96.1.2:80',
  };
}

// deploy-files.test.ts checks their structure with the schemas of Kubernetes.
test('the Kubernetes manifests run every role, with probes, a disruption budget and time to drain', () => {
  const folder = new URL('../../deploy/kubernetes/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml');
  const listed = parse(readFileSync(new URL('kustomization.yaml', folder), 'utf8')) as { resources: string[] };
  expect(listed.resources.toSorted()).toEqual(files.toSorted());
  const manifests = files.flatMap((name) =>
    parseAllDocuments(readFileSync(new URL(name, folder), 'utf8')).map((document) => document.toJS() as Manifest),
  );
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  const [shared = {}] = ofKind('ConfigMap').map(({ data }) => data);
  const secret = { DATABASE_URL: 'postgres://db/lectern', LECTERN_SECRET: 'ab'.repeat(32) };
  const roles = ofKind('Deployment').flatMap(({ spec: { template, selector, replicas } }) => {
    const { containers, terminationGracePeriodSeconds: grace, volumes, enableServiceLinks } = template.spec;
    const [{ env, ports, readinessProbe, livenessProbe, volumeMounts }] = containers;
    const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const links = enableServiceLinks === false ? {} : Object.assign({}, ...ofKind('Service').map(linksOf));
    const { config } = loadConfig({ ...links, ...shared, ...secret, ...own });
    expect(grace * 1000).toBeGreaterThanOrEqual(config.drainMs + 90_000);
    expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/readyz', '/healthz']);
    expect(ports[0].containerPort).toBe(config.port);
    expect(volumes.map(({ name }) => name)).toEqual(volumeMounts.map(({ name }) => name));
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    const [budget] = ofKind('PodDisruptionBudget').filter(
      ({ spec }) => JSON.stringify(spec.selector) === JSON.stringify(selector),
    );
    expect(budget?.spec.minAvailable).toBeLessThan(replicas);
    return config.roles;
  });
  expect(roles.toSorted()).toEqual(['mcp', 'web', 'worker']);
});
