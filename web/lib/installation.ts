/** Facts about the installation that serves the page. */
export interface InstallationFacts {
  productName: string;
  /** The public address, without a trailing slash. */
  address: string;
  /** The command that agents start for standard input and output, with its arguments. */
  stdio: string[];
}

/** Returns the facts that the server put into the page. In pages being written at build time, they are placeholders. */
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
