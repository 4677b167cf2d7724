import { type ImageReference, normaliseImage, parseImageReference } from '../../objects/index.ts';
import type { ImageBehaviour } from '../cluster-types.ts';

/** The registries of the world: what each reference stands for right now. Shared by all nodes. */
export interface ImageCatalogue {
  set(reference: string, behaviour: ImageBehaviour): void;
  /** An unlisted reference runs well with the defaults. */
  behaviourOf(reference: string): ImageBehaviour;
  contentOf(reference: string): string;
}

/** The images of one node. */
export interface ImageStore {
  has(reference: string): boolean;
  /** The content that a present reference stands for on this node; a moved tag stays old until it is pulled again. */
  contentOf(reference: string): string | undefined;
  pulled(reference: string): void;
  /** What containerd reports about a container of this content. */
  report(content: string): { readonly image: string; readonly imageID: string };
}

/** One spelling for all equal ones; where a digest is given, the tag beside it names nothing (as in containerd). */
const keyOf = (reference: string): string => {
  const parsed = parseImageReference(reference);
  if (parsed?.digest === undefined) return normaliseImage(reference);
  return `${repositoryOf(parsed)}@${parsed.digest}`;
};

const repositoryOf = ({ registry, repository }: ImageReference): string => `${registry}/${repository}`;

export const createImageCatalogue = (initial: Readonly<Record<string, ImageBehaviour>> | undefined): ImageCatalogue => {
  const behaviours = new Map(Object.entries(initial ?? {}).map(([reference, value]) => [keyOf(reference), value]));
  const behaviourOf = (reference: string): ImageBehaviour => behaviours.get(keyOf(reference)) ?? {};
  return {
    set: (reference, behaviour) => behaviours.set(keyOf(reference), behaviour),
    behaviourOf,
    contentOf: (reference) =>
      behaviourOf(reference).content ?? parseImageReference(reference)?.digest ?? keyOf(reference),
  };
};

interface Present extends Pick<ImageBehaviour, 'imported' | 'reportedAs'> {
  readonly content: string;
}

export const createImageStore = (catalogue: ImageCatalogue): ImageStore => {
  /** By name, in the order of the first pull: containerd reports the first name that it knows of a content. */
  const present = new Map<string, Present>();
  return {
    has: (reference) => present.has(keyOf(reference)),
    contentOf: (reference) => present.get(keyOf(reference))?.content,
    pulled: (reference) => {
      present.set(keyOf(reference), { ...catalogue.behaviourOf(reference), content: catalogue.contentOf(reference) });
    },
    report: (content) => {
      const digest = digestOf(content);
      const names = [...present].filter(([, image]) => image.content === content);
      const [name, image] = names.find(([one]) => !one.includes('@')) ?? names[0] ?? [];
      const parsed = name === undefined ? undefined : parseImageReference(name);
      if (name === undefined || parsed === undefined) return { image: digest, imageID: digest };
      return {
        image: image?.reportedAs ?? name,
        imageID: image?.imported === true ? digest : `${repositoryOf(parsed)}@${digest}`,
      };
    },
  };
};

/** A digest that depends on the content alone; a content that is itself a digest is taken as it is. */
const digestOf = (content: string): string => {
  if (/^sha256:[0-9a-f]{64}$/.test(content)) return content;
  let hex = '';
  for (let word = 0; word < 8; word++) hex += hash32(`${word}/${content}`).toString(16).padStart(8, '0');
  return `sha256:${hex}`;
};

/** FNV-1a with a final mix, so that similar texts do not share digits. It names contents; nothing is secured by it. */
const hash32 = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
