import { isSafeLink } from "../../domain/links.js";

/** Returns an address as it may stand in `href`; undefined when it is not an absolute http, https or mailto address. */
export function safeLink(address: string): string | undefined {
  return URL.canParse(address) && isSafeLink(address) ? new URL(address).href : undefined;
}

/** Returns an address as it may stand in `src` of an image; undefined when it is not an absolute http or https address. */
export function safeImage(address: string): string | undefined {
  const link = safeLink(address);
  return link?.startsWith("http") ? link : undefined;
}

/** Path of a page or database in the web application. */
export function contentPath(id: string): string {
  return `/${id.replaceAll("-", "")}`;
}
