/** A container image reference in its full form: `docker.io/library/nginx:1.27` for `nginx:1.27`. */
export interface ImageReference {
  /** Registry host, with its port where it has one. */
  readonly registry: string;
  /** Path below the registry: `library/nginx`. */
  readonly repository: string;
  readonly tag?: string | undefined;
  /** `sha256:…` */
  readonly digest?: string | undefined;
}

const host =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/;
const pathComponent = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const tagShape = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const digestShape = /^(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/;

/**
 * Reads a reference as docker's distribution/reference does, undefined where it cannot be one. The first component is
 * a registry only if it has a dot, a colon or a capital letter, or is `localhost`. A colon after the last slash starts
 * a tag, before it a port.
 */
export const parseImageReference = (text: string): ImageReference | undefined => {
  const [named = '', digest, ...rest] = text.split('@');
  if (rest.length > 0 || (digest !== undefined && !digestShape.test(digest))) return undefined;
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  const name = colon === -1 ? named : named.slice(0, colon);
  const tag = colon === -1 ? undefined : named.slice(colon + 1);
  if (tag !== undefined && !tagShape.test(tag)) return undefined;
  // 64 hexadecimal digits alone are an image ID, never a name.
  if (/^[a-f0-9]{64}$/.test(named)) return undefined;
  const { registry, path } = splitRegistry(name);
  if (registry.length > 255 || path.length > 255 || !host.test(registry)) return undefined;
  if (!path.split('/').every((part) => pathComponent.test(part))) return undefined;
  return { registry, repository: path, tag, digest };
};

const splitRegistry = (name: string): { readonly registry: string; readonly path: string } => {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const isRegistry = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  const registry = isRegistry ? first : 'docker.io';
  const path = isRegistry ? name.slice(slash + 1) : name;
  if (registry !== 'docker.io' && registry !== 'index.docker.io') return { registry, path };
  return { registry: 'docker.io', path: path.includes('/') ? path : `library/${path}` };
};

/**
 * The one spelling of a reference: registry and `library/` written out, `:latest` where it has neither tag nor digest.
 * Text that is no reference comes back unchanged.
 */
export const normaliseImage = (text: string): string => {
  const reference = parseImageReference(text);
  if (reference === undefined) return text;
  const { registry, repository, digest } = reference;
  const tag = reference.tag ?? (digest === undefined ? 'latest' : undefined);
  return `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
};

/**
 * The imagePullPolicy the API server fills in when a Pod is created without one: Always for the tag `latest` and for a
 * reference with neither tag nor digest, IfNotPresent for everything else (`SetDefaults_Container`).
 */
export const defaultPullPolicy = (image: string): 'Always' | 'IfNotPresent' => {
  const reference = parseImageReference(image);
  if (reference === undefined) return 'IfNotPresent';
  const tag = reference.tag ?? (reference.digest === undefined ? 'latest' : undefined);
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
};

/**
 * Whether a container status names the image of a reference.
 *
 * @param statusImage  `status.image`: one of the tags the runtime knows for that content, not always the one asked for
 * @param imageID      `status.imageID`: a repository digest, a bare one, or empty, as the runtime likes
 * @param reference    `spec.image`
 *
 * A yes is evidence; a no is not evidence of another image (the runtime may show another tag of the same content).
 */
export const namesSameImage = (statusImage: string, imageID: string, reference: string): boolean => {
  const digest = parseImageReference(reference)?.digest;
  if (digest !== undefined && (digestOf(imageID) === digest || digestOf(statusImage) === digest)) return true;
  return statusImage !== '' && normaliseImage(statusImage) === normaliseImage(reference);
};

/** `repository@sha256:…`, `docker-pullable://repository@sha256:…` or a bare `sha256:…`. */
const digestOf = (text: string): string => text.slice(text.lastIndexOf('@') + 1);
