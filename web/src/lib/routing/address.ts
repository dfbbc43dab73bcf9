/** Returns a path of this site as an absolute URL, to share or to open a socket. */
export const absoluteUrl = (path: string): URL => new URL(path, location.href);
