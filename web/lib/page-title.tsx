import type { ComponentType } from 'react';
import { useProductName } from './session.ts';

/** Title of a page, '{product name} - {page}'. React lifts it into the head, in pages written at build time too. */
export function PageTitle({ page }: { page: string }) {
  return <title>{`${useProductName()} - ${page}`}</title>;
}

/** Returns a route's page: a screen under its title. */
export function titledPage(page: string, Screen: ComponentType) {
  return () => (
    <>
      <PageTitle page={page} />
      <Screen />
    </>
  );
}
