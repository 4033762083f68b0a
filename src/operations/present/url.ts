import { formatBareId } from "../../domain/ids.js";
import type { Urls } from "../scope.js";

/** Returns the address of a page or database in the web application. */
export function createObjectUrl(urls: Urls, id: string): string {
  return `${urls.app}/${formatBareId(id)}`;
}
