import type { Urls } from "../scope.js";

/** Address of a page or database in the web application. */
export function objectUrl(urls: Urls, id: string): string {
  return `${urls.app}/${id.replaceAll("-", "")}`;
}
