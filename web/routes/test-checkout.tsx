import { TestCheckoutScreen } from '../features/billing/test-mode/test-checkout-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function TestCheckout() {
  return (
    <>
      <PageTitle page="Test payment" />
      <TestCheckoutScreen />
    </>
  );
}
