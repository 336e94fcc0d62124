interface ScriptGroup {
  name: string;
  /** Prefixes of the files' paths, relative to the project or to node_modules. Their imports are included. */
  files: readonly string[];
  /**
   * Minimum number of pages and lazy chunks that use a file for it to be included, if not one: a file with only one
   * user stays with that user.
   */
  pagesMin?: number;
}

const parts = '@base-ui/react';
const tools = '@base-ui/utils';

/**
 * Groups files that are used together into one script: each additional small script costs time on a phone, and a round
 * trip for a distant reader. A group takes the files that earlier groups have not taken, with all their imports; so
 * shared foundations come first, and a group must not name a file that pages need without the rest of the group.
 * `test/web/script-files.test.ts` limits how many scripts a page may load.
 */
export const scriptGroupList: readonly ScriptGroup[] = [
  // Used on every page, and files smaller than the request for them.
  {
    name: 'frame',
    files: [
      'contract/limits.ts',
      'contract/plans.ts',
      'web/lib/first-view.ts',
      'web/lib/page-title.tsx',
      'web/root.tsx',
      'web/ui/input-classes.ts',
      'react-dom/index.js',
      ...['arrow-left', 'arrow-right'].map(iconFile),
    ],
  },
  // All error messages: needed by screens that show some of them.
  { name: 'errors', files: ['contract/errors.ts'] },
  // Each agent's connection and rules.
  { name: 'agents', files: ['contract/agents', 'contract/agent-setup.ts', 'web/lib/agent-rules.ts'] },
  // Validation of requests and responses.
  {
    name: 'data',
    files: [
      'zod/',
      'contract/endpoint.ts',
      'contract/library.ts',
      'contract/team-texts.ts',
      'web/lib/api-client.ts',
      'web/lib/library-queries.ts',
      'web/kit/endpoint-query.ts',
      '@tanstack/react-query/build/modern/useInfiniteQuery.js',
    ],
  },
  // Components of text pages. Files here must not import more than icons.
  {
    name: 'reading',
    files: [
      'contract/document-path.ts',
      'contract/quantities.ts',
      'web/lib/commands.ts',
      'web/ui/code-block.tsx',
      'web/ui/copy-button.tsx',
      'web/ui/quantities.ts',
      'web/ui/text-link.tsx',
    ],
  },
  // Each agent's setup.
  { name: 'agents', files: ['contract/agent-setup.ts', 'web/lib/agent-rules.ts'] },
  // Loading states, error notices and the navigation's icons.
  {
    name: 'notices',
    files: [
      'web/lib/continuation.ts',
      'web/lib/when-shown.ts',
      'web/features/shell/site-icons.tsx',
      'web/ui/empty-state.tsx',
      'web/ui/notice.tsx',
      'web/kit/fault.tsx',
      'web/kit/retry-notice.tsx',
      'web/kit/use-fault-toast.ts',
      'web/ui/button-link.tsx',
      'web/ui/part-heading.tsx',
      'web/ui/skeleton.tsx',
      '@tanstack/react-query/build/modern/infiniteQueryOptions.js',
      ...['chevron-right', 'circle-check', 'lock', 'mail-check', 'plus'].map(iconFile),
    ],
  },
  // The base of all form controls.
  {
    name: 'controls',
    files: [
      'web/ui/badge.tsx',
      `${parts}/field/control/FieldControlDataAttributes`,
      `${parts}/internals/createBaseUIEventDetails`,
      `${parts}/internals/field-constants/`,
      `${parts}/internals/field-register-control/useRegisterFieldControl`,
      `${parts}/internals/field-root-context/`,
      `${parts}/internals/form-context/`,
      `${parts}/internals/labelable-provider/LabelableContext`,
      `${parts}/internals/labelable-provider/useLabel.`,
      `${parts}/internals/labelable-provider/useLabelableId`,
      `${parts}/internals/reason-parts`,
      `${parts}/internals/stateAttributesMapping`,
      `${parts}/internals/use-button/`,
      `${parts}/internals/useBaseUiId`,
      `${parts}/internals/useOpenChangeComplete`,
      `${parts}/internals/useRenderElement`,
      `${parts}/internals/useTransitionStatus`,
      `${parts}/internals/useValueChanged`,
      `${parts}/merge-props/`,
      `${tools}/addEventListener`,
      `${tools}/clamp`,
      `${tools}/formatNumber`,
      `${tools}/platform/os`,
      `${tools}/shadowDom`,
      `${tools}/useControlled`,
      `${tools}/useId`,
      `${tools}/useMergedRefs`,
      `${tools}/useTimeout`,
      `${tools}/useValueAsRef`,
      `${tools}/visuallyHidden`,
    ],
  },
  {
    name: 'fields',
    files: [
      'web/ui/field.tsx',
      'web/ui/staying-form.ts',
      'web/ui/text-area.tsx',
      `${parts}/field/`,
      `${parts}/fieldset/`,
      `${parts}/internals/labelable-provider/`,
    ],
  },
  // Lists, menus and notes that open over the page.
  {
    name: 'sheets',
    files: [
      'web/ui/explain.tsx',
      'web/ui/icon-button.tsx',
      'web/ui/menu.tsx',
      'web/ui/popover.tsx',
      'web/ui/popup-classes.ts',
      'web/ui/relative-time.tsx',
      'web/ui/select.tsx',
      'web/ui/sheet.ts',
      'web/ui/tabs.tsx',
      'web/ui/tooltip.tsx',
    ],
  },
  // Lists with arrow key navigation.
  { name: 'composite', files: [`${parts}/internals/composite/`, `${parts}/internals/direction-context/`] },
  // Positioning and transitions of popups.
  {
    name: 'floating',
    files: [
      '@floating-ui/',
      `${parts}/floating-ui-react/`,
      `${parts}/utils/popups/`,
      `${parts}/internals/useAnchorPositioning`,
      `${parts}/utils/usePositioner`,
    ],
  },
  // The session: used by all pages of a signed-in user, and by those that lead there.
  {
    name: 'identity',
    files: [
      'contract/account-details.ts',
      'contract/accounts.ts',
      'contract/callables.ts',
      'contract/hosting.ts',
      'contract/identity',
      'web/features/accounts/queries.ts',
      'web/lib/call-function.ts',
    ],
  },
  {
    name: 'sign-in-parts',
    files: [
      'contract/sign-on.ts',
      'web/features/accounts/new-password.ts',
      'web/features/accounts/popup.ts',
      'web/features/accounts/social-sign-in.tsx',
      'web/lib/page-query.ts',
      'web/ui/password-field.tsx',
    ],
  },
  { name: 'icons', files: [iconFile('')], pagesMin: 2 },
  { name: 'dialog', files: ['web/ui/dialog.tsx', 'web/kit/use-confirm.tsx'] },
  // Too small individually to compress well: a page that needs only one loses nothing.
  {
    name: 'progress',
    files: ['web/ui/progress.tsx', 'web/ui/segments.tsx', 'web/lib/job-pages.ts', 'web/lib/stale-module.ts'],
  },
  {
    name: 'teams',
    files: [
      'contract/audit.ts',
      'contract/keys.ts',
      'contract/teams.ts',
      'web/features/teams/invite-entry.tsx',
      'web/features/teams/queries.ts',
      'web/features/teams/roles.ts',
      'web/features/teams/team-needed.tsx',
      'web/kit/audit-log.tsx',
      'web/kit/nothing-matches.tsx',
      'web/ui/avatar.tsx',
    ],
  },
  { name: 'team-parts', files: ['web/features/teams/ask-an-admin.tsx', 'web/features/teams/role-select.tsx'] },
  { name: 'keep-focus', files: ['web/ui/keep-focus.ts'] },
  // The frame of a signed-in user's pages; loaded once the session is known.
  {
    name: 'person',
    files: ['web/features/shell/account-menu.tsx', 'web/features/shell/signed-in-frame.tsx'],
  },
  { name: 'prices', files: ['contract/billing.ts', 'contract/credits.ts', 'web/lib/credit-queries.ts'] },
  {
    name: 'billing',
    files: [
      'web/features/billing/buy-credits.tsx',
      'web/features/billing/next-period.tsx',
      'web/features/billing/payment-outcome.tsx',
      'web/features/billing/plan-change.ts',
      'web/features/billing/plan-facts.ts',
      'web/features/billing/price-lines.ts',
      'web/features/billing/promotion-field.tsx',
      'web/features/billing/billing-notices.tsx',
      'web/ui/quantity-field.tsx',
    ],
  },
  { name: 'console-parts', files: ['contract/insights.ts', 'contract/outbox.ts', 'web/lib/seen-mails.ts'] },
  { name: 'settings', files: ['web/ui/settings.tsx', 'web/ui/switch.tsx'] },
];

function iconFile(name: string): string {
  return `lucide-react/dist/esm/icons/${name}${name && '.mjs'}`;
}

/** The groups in the build tool's format. */
export const scriptGroups = scriptGroupList.map(({ name, files, pagesMin = 1 }) => ({
  name,
  test: (id: string) => files.some((file) => nameOf(id).startsWith(file)),
  minShareCount: pagesMin,
}));

function nameOf(id: string): string {
  return id.replaceAll('\\', '/').replace(/^.*\/(?:node_modules\/|(?=(?:web|contract)\/))/, '');
}
