import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { findProgram } from './command.ts';
import { type TarEntry, tar } from './tar.ts';

export const registry = 'registry.local/ms';

interface TestImage {
  readonly tags: readonly string[];
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
}

const sleepForever = 'while :; do sleep 3600 & wait $!; done';
// A shell that is process 1 ignores TERM unless it traps it: IGNORE_TERM makes a container that takes its whole grace
// period to die, START_DELAY one that takes that many seconds to become ready (`test -f /tmp/ready`).
const engineScript = [
  '[ -z "$IGNORE_TERM" ] && trap "exit 0" TERM INT',
  '[ -n "$CRASH" ] && exit 3',
  '[ -n "$START_DELAY" ] && sleep $START_DELAY',
  'touch /tmp/ready',
  'echo engine $VERSION is up',
  sleepForever,
].join('\n');

const engine = (version: string, more: Partial<TestImage> = {}): TestImage => ({
  tags: [`engine:${version}`],
  script: engineScript,
  ...more,
  env: { VERSION: version, ...more.env },
});

const images: readonly TestImage[] = [
  { tags: ['pause:1'], script: `trap "exit 0" TERM INT\n${sleepForever}`, env: {} },
  engine('v1', { tags: ['engine:v1', 'engine:v1-alias'] }),
  engine('v2'),
  engine('v3'),
  engine('crash', { env: { CRASH: '1' } }),
];

const applets = [
  'sh',
  'sleep',
  'echo',
  'cat',
  'env',
  'test',
  'touch',
  'ls',
  'id',
  'date',
  'true',
  'false',
  'wget',
  'nc',
];

const rootFilesystem = (busybox: Buffer): Buffer => {
  const entries: TarEntry[] = [
    { kind: 'folder', path: 'bin/' },
    { kind: 'file', path: 'bin/busybox', content: busybox },
    ...applets.map((name): TarEntry => ({ kind: 'link', path: `bin/${name}`, target: 'busybox' })),
    { kind: 'folder', path: 'tmp/', mode: 0o1777 },
    { kind: 'folder', path: 'etc/' },
    { kind: 'file', path: 'etc/passwd', content: Buffer.from('root:x:0:0:root:/:/bin/sh\n'), mode: 0o644 },
  ];
  return tar(entries);
};

export const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

const configOf = (image: TestImage, layer: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      architecture: architectures[process.arch] ?? process.arch,
      os: 'linux',
      created: '2020-01-01T00:00:00Z',
      config: {
        Cmd: ['/bin/sh', '-c', image.script],
        Env: ['PATH=/bin', ...Object.entries(image.env).map(([name, value]) => `${name}=${value}`)],
      },
      rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
      history: [{ created: '2020-01-01T00:00:00Z' }],
    }),
  );

export interface BuiltImage {
  /** `name:tag` for each of its tags. */
  readonly tags: readonly string[];
  readonly config: Buffer;
  readonly layer: Buffer;
}

/**
 * The test images: pause:1, engine:v1 (also tagged v1-alias), v2, v3 and crash, all of them this machine's own busybox.
 *
 * @param origin  where they come from. It is part of their content: the same content from two places would be one image
 *                with two names, and a node reports whichever of them it likes
 */
export const buildImages = (origin: string): readonly BuiltImage[] => {
  const busybox = findProgram('busybox');
  if (busybox === undefined) throw new Error('busybox is not on this machine');
  const layer = rootFilesystem(readFileSync(busybox));
  const digest = sha256(layer);
  return images.map((image) => ({
    tags: image.tags,
    config: configOf({ ...image, env: { ...image.env, ORIGIN: origin } }, digest),
    layer,
  }));
};

/** An archive of the test images for `ctr images import`. No registry and no foreign image is needed. */
export const imageArchive = (): Buffer => {
  const built = buildImages(registry).map((image) => ({ ...image, path: `${sha256(image.config)}.json` }));
  const [first] = built;
  if (first === undefined) return tar([]);
  const manifest = built.map(({ tags, path }) => ({
    Config: path,
    RepoTags: tags.map((tag) => `${registry}/${tag}`),
    Layers: ['layer.tar'],
  }));
  return tar([
    { kind: 'file', path: 'layer.tar', content: first.layer },
    ...built.map(({ path, config }): TarEntry => ({ kind: 'file', path, content: config })),
    { kind: 'file', path: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) },
  ]);
};
