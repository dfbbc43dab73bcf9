/** A path of this site as it is given to others, or to a socket. */
export const absoluteUrl = (path: string): URL => new URL(path, location.href);
