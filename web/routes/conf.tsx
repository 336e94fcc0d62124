import { useQuery } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import * as limits from '#contract/limits.ts';
import { type MailLink, useFollowMailLink, useSignUpForConf } from '../features/conf/queries.ts';
import { sentenceForPeople } from '../lib/api-error.ts';
import { publicPage } from '../lib/public-page-head.tsx';
import { useProductName } from '../lib/session.ts';
import { siteOptions } from '../lib/site.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { keepFocusNearby } from '../ui/keep-focus.ts';
import { Notice } from '../ui/notice.tsx';
import { stayingForm } from '../ui/staying-form.ts';

const topics: { title: string; text: string }[] = [
  {
    title: 'Passages',
    text: 'Where to split a page so that each part makes sense alone: sections, code with its introduction, tables with their header.',
  },
  {
    title: 'Measuring answers',
    text: 'Recall and tokens instead of precision. How to build a set of questions, and how to notice regressions.',
  },
  {
    title: 'Documentation that agents read',
    text: 'llms.txt, Markdown versions, stable anchors: what helps, what agents ignore, and what it costs to maintain.',
  },
  {
    title: 'Private documentation',
    text: 'Access checks on every search, credentials for a single host, and results that mix public and private pages.',
  },
  {
    title: 'Untrusted text',
    text: 'Strangers write documentation. What a page can make an agent do, and where to stop it.',
  },
  {
    title: 'Sessions and memory',
    text: 'Not sending the same passage twice, across transports, restarts and clients that forget who they are.',
  },
];

function ConfScreen() {
  const productName = useProductName();
  const contact = useQuery(siteOptions).data?.links.contact ?? null;
  useEffect(keepFocusNearby, []);
  return (
    <div className="page py-14 md:py-20">
      <MailLinkPanel />
      <div className="grid items-start gap-x-16 gap-y-12 lg:grid-cols-[1.35fr_1fr]">
        <header>
          <p className="font-medium text-lamp text-sm">{productName} conference, online</p>
          <h1 className="mt-3 font-display text-4xl text-ink tracking-[-0.022em] md:text-[3.25rem] md:leading-[1.06]">
            Context for agents
          </h1>
          <p className="mt-5 max-w-[38rem] text-pretty text-lg text-soft">
            A conference for people who build and write documentation for coding agents. Short talks with numbers, and
            time for questions.
          </p>
          <dl className="mt-8 flex flex-wrap gap-x-10 gap-y-4 text-base">
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt className="text-faint text-sm">{name}</dt>
                <dd className="mt-0.5 font-medium text-ink">{value}</dd>
              </div>
            ))}
          </dl>
        </header>
        <section aria-labelledby="sign-up" className="rounded-xl border border-line bg-surface p-6 shadow-lg">
          <h2 id="sign-up" className="mb-4 font-display font-medium text-ink text-xl">
            Get notified of the date
          </h2>
          <SignUpForm />
        </section>
      </div>

      <section aria-labelledby="programme" className="mt-20">
        <h2 id="programme" className="font-display font-medium text-2xl text-ink tracking-[-0.014em]">
          Program
        </h2>
        <p className="mt-3 max-w-[40rem] text-md text-soft">
          No talk is confirmed yet. We are looking for talks on these topics.
        </p>
        <ul className="mt-8 grid gap-x-12 sm:grid-cols-2">
          {topics.map(({ title, text }) => (
            <li key={title} className="border-line border-t py-5">
              <h3 className="font-medium text-ink text-md">{title}</h3>
              <p className="mt-1.5 text-pretty text-base text-soft leading-6">{text}</p>
            </li>
          ))}
        </ul>
      </section>

      <section aria-labelledby="speakers" className="mt-14 max-w-[46rem]">
        <h2 id="speakers" className="font-display font-medium text-2xl text-ink tracking-[-0.014em]">
          Call for speakers
        </h2>
        <div className="prose prose-reading mt-4">
          <p>
            The call for speakers is open. A talk takes 20 minutes and shows something that others can repeat: a
            measurement, a method, a lesson from a failure. You may name products but not advertise them.
          </p>
          <p>
            Send a title, five sentences and your measurements to{' '}
            {contact === null ? 'the people who run this installation' : <a href={contact}>the organizers</a>}. You
            don't need slides to propose a talk.
          </p>
        </div>
      </section>
    </div>
  );
}

export default publicPage('/conf', ConfScreen);

const facts: [string, string][] = [
  ['Where', 'Online'],
  ['When', 'To be announced'],
  ['Speakers', 'Call open'],
];

/** Requests the email that confirms a sign-up. */
function SignUpForm() {
  const [email, setEmail] = useState('');
  const emailRef = useRef<HTMLInputElement>(null);
  const signUp = useSignUpForConf();
  const isOutbox = useQuery(siteOptions).data?.mailIsOutbox === true;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (signUp.isPending) return;
    // Read from the field: the text may have been typed before hydration.
    const typed = emailRef.current?.value.trim() ?? '';
    if (typed === '') emailRef.current?.focus();
    else signUp.mutate(typed);
  };
  if (signUp.isSuccess) {
    return (
      <div role="status" className="flex gap-3 text-base text-soft">
        <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-lamp" />
        <div>
          <p className="font-medium text-ink text-md">Check your email</p>
          <p className="mt-1">
            {isOutbox ? 'The operator has a link for' : 'A link is on its way to'} {signUp.variables}. Open it to join
            the list.
          </p>
        </div>
      </div>
    );
  }
  return (
    <form {...stayingForm} onSubmit={submit} aria-label="Sign up for the conference" className="flex flex-col gap-3">
      <TextField
        ref={emailRef}
        label="Email"
        type="email"
        autoComplete="email"
        maxLength={limits.emailCharactersMax}
        value={email}
        onValueChange={setEmail}
      />
      {signUp.error && <Notice tone="bad">{sentenceForPeople(signUp.error)}</Notice>}
      <Button type="submit" look="action" isBusy={signUp.isPending}>
        Sign up
      </Button>
      <p className="text-faint text-xs">
        We only email you about this conference. Each email has a link that erases your address.{' '}
        <span className="hidden noscript:inline">Signing up needs JavaScript.</span>
      </p>
    </form>
  );
}

const words = {
  confirm: {
    title: 'Confirm your sign-up',
    text: "Confirm to join the conference's list.",
    button: 'Confirm',
    done: "You are on the list. We'll email you when there is a date.",
  },
  leave: {
    title: 'Leave the list',
    text: "Your address is erased, and you won't get any more emails about the conference.",
    button: 'Leave the list',
    done: 'Your address is erased from the list.',
  },
};

/** Handles an email link. It waits for a click, because mail scanners open links too. */
function MailLinkPanel() {
  const link = useMailLink();
  const follow = useFollowMailLink();
  if (link === undefined) return null;
  const { title, text, button, done } = words[link.name];
  if (follow.isSuccess) {
    return (
      <div role="status" className="mb-10">
        <Notice tone="info" title={done} />
      </div>
    );
  }
  return (
    <section aria-labelledby="mail-link" className="mb-10 rounded-xl border border-lamp-line bg-lamp-ground px-5 py-5">
      <h2 id="mail-link" className="font-medium text-ink text-md">
        {title}
      </h2>
      <p className="mt-1 mb-4 text-base text-soft">{text}</p>
      {follow.error && (
        <div className="mb-4">
          <Notice tone="bad">{sentenceForPeople(follow.error)}</Notice>
        </div>
      )}
      <Button look="action" isBusy={follow.isPending} onClick={() => follow.isPending || follow.mutate(link)}>
        {button}
      </Button>
    </section>
  );
}

/** Returns the link from the page's fragment, which servers and logs do not see. */
function useMailLink(): MailLink | undefined {
  const hash = useSyncExternalStore(
    (onChange) => {
      window.addEventListener('hashchange', onChange);
      return () => window.removeEventListener('hashchange', onChange);
    },
    () => window.location.hash,
    () => '',
  );
  const [, name, token] = /^#(confirm|leave)=([\w-]+)$/.exec(hash) ?? [];
  return token !== undefined && (name === 'confirm' || name === 'leave') ? { name, token } : undefined;
}
