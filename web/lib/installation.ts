/**
 * The product's name and the address of this installation, no slash at the end, as the server has put them into the
 * page that was loaded. While a page is written at build time they are placeholders.
 */
export function installation(): { productName: string; address: string } {
  if (typeof document === 'undefined') return { productName: __PRODUCT_NAME__, address: __PUBLIC_ADDRESS__ };
  const { productName = '', publicAddress = '' } = document.documentElement.dataset;
  return { productName, address: publicAddress };
}
