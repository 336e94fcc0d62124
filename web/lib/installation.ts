/** What pages know of the installation that serves them. */
export interface InstallationFacts {
  productName: string;
  /** Where it is reached, no slash at the end. */
  address: string;
  /** The program that agents start to speak over standard input and output, with its arguments. */
  stdio: string[];
}

/** As the server has put them into the page that was loaded. While a page is written at build time they are placeholders. */
export function installation(): InstallationFacts {
  if (typeof document === 'undefined') {
    return { productName: __PRODUCT_NAME__, address: __PUBLIC_ADDRESS__, stdio: __STDIO_PROGRAM__ };
  }
  const {
    productName = '',
    publicAddress = '',
    program = '',
    programArguments = '[]',
  } = document.documentElement.dataset;
  return { productName, address: publicAddress, stdio: [program, ...(JSON.parse(programArguments) as string[])] };
}
