import { isSafeLink } from "../../domain/links.js";

/** Returns the URL for a `href` attribute; undefined unless it is an absolute http, https or mailto URL. */
export function toSafeLink(address: string): string | undefined {
  return URL.canParse(address) && isSafeLink(address) ? new URL(address).href : undefined;
}

/** Returns the URL for the `src` attribute of an image; undefined unless it is an absolute http or https URL. */
export function toSafeImageUrl(address: string): string | undefined {
  const link = toSafeLink(address);
  return link?.startsWith("http") ? link : undefined;
}

/** Returns the path of a page or database in the web application. */
export function getContentPath(id: string): string {
  return `/${id.replaceAll("-", "")}`;
}
