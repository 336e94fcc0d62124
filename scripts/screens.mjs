// Takes screenshots of every screen in every state, for a visual review before a change is considered done, and writes
// them with an index page into .cache/screens.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sentenceOf } from '../contract/errors.ts';
import { publicPages } from '../web/lib/public-pages.ts';
import { launchChromium } from './chromium.ts';

const widths = [390, 768, 1280, 1920];
const themes = ['light', 'dark'];
/** Results of a screen's calls. `full` multiplies the lists in their responses. */
const states = ['as it is', 'full', 'loading', 'failing 500', 'failing 503', 'offline'];
const roles = ['visitor', 'newcomer', 'operator', 'admin', 'writer', 'reader'];
/**
 * By default, states other than the first are captured at one width and in one theme, because they do not affect the
 * layout.
 */
const widthOfStates = 1280;
const themeOfStates = 'light';
/** The roles whose screens have data that can fail or grow. */
const rolesWithStates = ['operator', 'admin'];

const help = `Usage: lectern screens [options]

Takes pictures of every screen in every state into .cache/screens.

  --only TEXT      screens whose path contains the text
  --roles LIST     ${roles.join(', ')}
  --states LIST    ${states.join(', ')}
  --widths LIST    ${widths.join(', ')}
  --themes LIST    ${themes.join(', ')}
  --help           show this text
`;
const listedWhenFull = { modules: 500, members: 50, other: 100 };
const settleMs = 700;
/** Time for the browser's two retries of an unreachable server before it shows the error. */
const retriesMs = 4_000;

const doors = ['/login', '/signup', '/auth/reset-password', '/auth/action', '/accept/nothing', '/no-such-page'];
const console_ = [
  ...[
    '/dashboard',
    '/welcome',
    '/welcome?step=agent',
    '/welcome?step=call',
    '/search',
    '/search?q=index+a+site',
    '/chat',
  ],
  ...[
    '/resources',
    '/resources?tab=runs',
    '/resources?tab=pdf-sets',
    '/resources?tab=credentials',
    '/resources/lectern',
  ],
  ...['/activity', '/keys', '/install', '/account', '/create-team', '/subscribe'],
];
const ofOperator = ['/outbox', '/console/people', '/console/audit', '/console/settings'];
const ofMember = ['/dashboard', '/activity', '/resources', '/resources/lectern', '/keys'];
const ofTeam = ['/team', '/add-members', '/upgrade-team', '/team-manage-seats', '/team?tab=log', '/team?tab=settings'];

/** Returns the exit code: 1 if a screen logged an error. */
export async function takeScreens(root, args) {
  const chosen = chosenBy(args);
  if (chosen === 'help') {
    process.stdout.write(help);
    return 0;
  }
  const folder = join(root, '.cache', 'screens');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const data = mkdtempSync(join(tmpdir(), 'screens-'));
  const server = await startServer(root, data);
  const browser = await launchChromium();
  const pictures = [];
  try {
    const everybody = await signInEverybody(root, { browser, url: server.url, data });
    for (const { role, state: storageState, paths } of everybody) {
      if (chosen.roles && !chosen.roles.includes(role)) continue;
      for (const theme of chosen.themes ?? themes) {
        const context = await browser.newContext({
          baseURL: server.url,
          storageState,
          colorScheme: theme,
          reducedMotion: 'reduce',
        });
        for (const path of paths.filter((one) => one.includes(chosen.only))) {
          for (const state of chosen.states ?? states) {
            const isPlain = state === 'as it is';
            const isLeftOut =
              (!chosen.themes && theme !== themeOfStates) || !(chosen.roles ?? rolesWithStates).includes(role);
            if (!isPlain && isLeftOut) continue;
            for (const width of chosen.widths ?? (isPlain ? widths : [widthOfStates])) {
              pictures.push(await takePicture(context, { role, path, state, theme, width, folder }));
            }
          }
        }
        await context.close();
      }
    }
  } finally {
    await browser.close();
    server.stop();
    rmSync(data, { recursive: true, force: true });
  }
  writeFileSync(join(folder, 'index.html'), indexPage(pictures));
  const faulty = pictures.filter(({ faults }) => faults.length > 0);
  for (const { role, path, state, width, faults } of faulty) {
    process.stdout.write(`${role} ${path} (${state}, ${width}): ${faults.join(' | ')}\n`);
  }
  process.stdout.write(`${pictures.length} pictures: ${join(folder, 'index.html')}\n`);
  return faulty.length > 0 ? 1 : 0;
}

function chosenBy(args) {
  const text = { type: 'string' };
  const options = { only: text, roles: text, states: text, widths: text, themes: text, help: { type: 'boolean' } };
  const { values } = parseArgs({ args, options });
  if (values.help) return 'help';
  return {
    only: values.only ?? '',
    roles: listed(values.roles, roles),
    states: listed(values.states, states),
    widths: listed(values.widths, widths.map(String))?.map(Number),
    themes: listed(values.themes, themes),
  };
}

/** Returns the entries of a list option; undefined without the option. Throws for an unknown entry. */
function listed(value, known) {
  const entries = value?.split(',').map((entry) => entry.trim());
  const unknown = entries?.find((entry) => !known.includes(entry));
  if (unknown !== undefined) throw new Error(`"${unknown}" is none of: ${known.join(', ')}`);
  return entries;
}

async function takePicture(context, { role, path, state, theme, width, folder }) {
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.setViewportSize({ width, height: width < 700 ? 844 : 900 });
  await setState(page, state);
  await page.goto(path).catch((error) => faults.push(error.message));
  await page.waitForLoadState('load');
  await page
    .locator('main h1')
    .first()
    .waitFor({ timeout: state === 'loading' ? 1_000 : 15_000 })
    .catch(() => state === 'loading' || faults.push('has no heading'));
  await page.waitForTimeout(state === 'offline' ? retriesMs : settleMs);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  if (overflow > 0) faults.push(`scrolls sideways by ${overflow}`);
  const name = `${[role, path, state, width, theme].join('-').replace(/[^a-z0-9-]+/gi, '_')}.png`;
  await page.screenshot({ path: join(folder, name), fullPage: true });
  await page.close();
  return { role, path, state, theme, width, name, faults };
}

/** Sets how calls are answered. Session and teams always succeed: without them all screens would look the same. */
async function setState(page, state) {
  if (state === 'as it is') return;
  await page.route(/\/api\/(?!session$|flags|site$|live|teams$)/, async (route) => {
    if (state === 'loading') return;
    if (state === 'offline') return route.abort();
    if (state.startsWith('failing')) {
      const status = Number(state.split(' ')[1]);
      const requestId = 'sample';
      const code = status === 500 ? 'internal' : 'unavailable';
      return route.fulfill({ status, json: { error: { code, message: sentenceOf(code, { requestId }), requestId } } });
    }
    const answer = await route.fetch();
    const json = await answer.json().catch(() => undefined);
    return route.fulfill({ response: answer, json: json === undefined ? undefined : multiplied(json) });
  });
}

/** Multiplies the lists in a response; ids stay unique. */
function multiplied(json) {
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      if (!Array.isArray(value) || value.length === 0 || typeof value[0] !== 'object') return [name, value];
      if (name === 'days') return [name, value];
      return [
        name,
        Array.from({ length: listedWhenFull[name] ?? listedWhenFull.other }, (_, at) =>
          at < value.length ? value[at] : numbered(value[at % value.length], at),
        ),
      ];
    }),
  );
}

function numbered(entry, at) {
  const isId = /^(id|uid|moduleId|setId|membershipId|teamId|executionId)$/;
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name,
      isId.test(name) && typeof value === 'string' ? `${value}${at}` : value,
    ]),
  );
}

async function startServer(root, data) {
  const env = { ...process.env, LECTERN_CREDITS: 'on', LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [join(root, 'server/cli/main.ts'), 'start', '--data', data, '--port', '0'], {
    env,
  });
  let output = '';
  const url = await new Promise((fulfil, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const found = / is ready: (\S+)/.exec(output)?.[1];
      if (found !== undefined) fulfil(found);
    });
    child.on('exit', () => reject(new Error(`the server ended: ${output}`)));
  });
  return { url, stop: () => child.kill('SIGTERM') };
}

/** Signs in accounts with no data, some data, and full access; returns each with its browser state. */
async function signInEverybody(root, { browser, url, data }) {
  const link = await run(root, ['link', '--data', data]);
  const operator = await browser.newContext({ baseURL: url });
  const page = await operator.newPage();
  await page.goto(/https?:\S+\/sign-in\?code=\S+/.exec(link)?.[0] ?? '');
  await page.waitForURL(/dashboard|welcome/);
  await page.evaluate("localStorage.setItem('setup', 'left')");
  const headers = { 'x-lectern-csrf': '1', origin: url };
  const post = async (request, path, body) => (await request.post(path, { headers, data: body })).json();
  const { secret } = await post(page.request, '/api/keys', { name: 'Claude Code on the laptop' });
  await callAsAgent(url, secret);
  const operatorState = await operator.storageState();

  const person = await browser.newContext({ baseURL: url });
  const signUp = ({ request }, name) =>
    post(request, '/api/identity/sign-up', {
      email: `${name}@example.org`,
      password: 'tide tables',
      displayName: name,
    });
  await signUp(person, 'newcomer');
  const teamState = structuredClone(operatorState);
  const { teamId } = await post(page.request, '/admin/teams', {
    teamName: 'Tidewater',
    teamMembers: ['writer', 'reader'].map((role) => ({ email: `${role}@example.org`, role })),
  });
  teamState.origins[0]?.localStorage.push({ name: 'workspace', value: teamId });
  const members = [];
  for (const role of ['writer', 'reader']) {
    const context = await browser.newContext({ baseURL: url });
    await signUp(context, role);
    const { mails } = await (await page.request.get('/api/outbox')).json();
    const invite = mails.find(({ to, subject }) => to === `${role}@example.org` && /join/i.test(subject));
    const { mail } = await (await page.request.get(`/api/outbox/${invite.id}`)).json();
    const tab = await context.newPage();
    await tab.goto(/\/accept\/\S+/.exec(mail.text)[0]);
    await tab.waitForURL('**/dashboard');
    members.push({ role, state: await context.storageState(), paths: [...ofTeam, ...ofMember] });
  }
  return [
    {
      role: 'visitor',
      state: undefined,
      paths: [...publicPages.map(({ path }) => path), ...doors, '/docs', '/docs/guide/agents'],
    },
    { role: 'newcomer', state: await person.storageState(), paths: console_ },
    { role: 'operator', state: operatorState, paths: [...console_, ...ofOperator] },
    { role: 'admin', state: teamState, paths: [...ofTeam, ...ofMember] },
    ...members,
  ];
}

async function callAsAgent(url, secret) {
  const ask = (id, method, params) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${secret}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
  const client = { name: 'claude-code', version: '1' };
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client });
  for (const [at, query] of [
    'How do I index a private site?',
    'webhook secret',
    'zebra stripes',
    'What does a search cost?',
  ].entries()) {
    await ask(at + 2, 'tools/call', { name: 'lectern_search_documentation', arguments: { query } });
  }
}

function run(root, args) {
  return new Promise((fulfil) => {
    const child = spawn(process.execPath, [join(root, 'server/cli/main.ts'), ...args]);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.on('close', () => fulfil(output));
  });
}

function indexPage(pictures) {
  const groups = Map.groupBy(pictures, ({ role, path }) => `${role} ${path}`);
  const parts = [...groups].map(([title, shown]) => {
    const figures = shown.map(
      ({ name, state, width, theme, faults }) =>
        `<figure${faults.length > 0 ? ' class="faulty"' : ''}><a href="${name}"><img loading="lazy" src="${name}" alt=""></a><figcaption>${[state, width, theme, ...faults].map(escaped).join(', ')}</figcaption></figure>`,
    );
    return `<h2>${escaped(title)}</h2><div>${figures.join('')}</div>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>
  body { font: 14px system-ui; margin: 24px; background: #777 } h2 { color: #fff }
  div { display: flex; flex-wrap: wrap; gap: 12px; align-items: start } figure { margin: 0; background: #fff; padding: 6px }
  img { height: 320px; max-width: 520px; object-fit: cover; object-position: top } .faulty { outline: 4px solid #d33 }
  figcaption { max-width: 520px }</style>${parts.join('')}</html>`;
}

function escaped(text) {
  return String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
