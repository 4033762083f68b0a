/** Returns the address of a file of this package. This module is in src/ in a checkout, and in dist/src/ when it is compiled. */
export function locatePackageFile(name: string): URL {
  const root = import.meta.url.endsWith(".ts") ? "../" : "../../";
  return new URL(`${root}${name}`, import.meta.url);
}
