import type { ComponentType } from 'react';
import { useProductName } from './session.ts';

/** Sets a page's title, '{product name} - {page}'. React moves it into the head, in prerendered pages too. */
export function PageTitle({ page }: { page: string }) {
  return <title>{`${useProductName()} - ${page}`}</title>;
}

/** Returns a route's page: a screen with a title. */
export function titledPage(page: string, Screen: ComponentType) {
  return () => (
    <>
      <PageTitle page={page} />
      <Screen />
    </>
  );
}
