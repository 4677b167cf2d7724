import { describe, expect, it } from 'vitest';
import { defaultPullPolicy, namesSameImage, normaliseImage, parseImageReference } from './image-reference.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const other = `sha256:${'f'.repeat(64)}`;

describe('an image reference', () => {
  it.each([
    ['nginx', 'docker.io/library/nginx:latest'],
    ['nginx:1.27', 'docker.io/library/nginx:1.27'],
    ['user/app', 'docker.io/user/app:latest'],
    ['index.docker.io/nginx', 'docker.io/library/nginx:latest'],
    ['registry:5000/app', 'registry:5000/app:latest'],
    ['registry:5000/app:v1', 'registry:5000/app:v1'],
    ['localhost/app', 'localhost/app:latest'],
    ['Upper/app', 'Upper/app:latest'],
    ['ghcr.io/a/b/c:v1', 'ghcr.io/a/b/c:v1'],
    ['[::1]:5000/app', '[::1]:5000/app:latest'],
    [`app@${digest}`, `docker.io/library/app@${digest}`],
    [`app:v1@${digest}`, `docker.io/library/app:v1@${digest}`],
  ])('%s means %s', (text, full) => {
    expect(normaliseImage(text)).toBe(full);
    expect(normaliseImage(full)).toBe(full);
  });

  it.each(['', ' app', 'app:', 'app:v 1', 'app@sha256:123', `app@${digest}@${digest}`, 'a//b', 'App', '0'.repeat(64)])(
    'is not %j',
    (text) => {
      expect(parseImageReference(text)).toBeUndefined();
    },
  );

  it('is read in its parts', () => {
    expect(parseImageReference(`registry:5000/team/app:v1@${digest}`)).toEqual({
      registry: 'registry:5000',
      repository: 'team/app',
      tag: 'v1',
      digest,
    });
  });
});

describe('the pull policy the API server fills in', () => {
  it.each([
    ['app', 'Always'],
    ['app:latest', 'Always'],
    ['registry:5000/app', 'Always'],
    [`app:latest@${digest}`, 'Always'],
    ['app:v1', 'IfNotPresent'],
    [`app@${digest}`, 'IfNotPresent'],
    [`app:v1@${digest}`, 'IfNotPresent'],
    ['not an image', 'IfNotPresent'],
    ['', 'IfNotPresent'],
  ])('is for %j: %s', (image, policy) => {
    expect(defaultPullPolicy(image)).toBe(policy);
  });
});

describe('a container status', () => {
  it('names an image whatever the spelling', () => {
    expect(namesSameImage('docker.io/library/nginx:latest', digest, 'nginx')).toBe(true);
    expect(namesSameImage('nginx:v1', digest, 'nginx:v2')).toBe(false);
  });

  it('names a pinned image by the digest in its imageID, whatever tag it shows', () => {
    const pinned = `app@${digest}`;
    expect(namesSameImage('app:some-tag', `docker-pullable://app@${digest}`, pinned)).toBe(true);
    expect(namesSameImage('app:some-tag', digest, pinned)).toBe(true);
    expect(namesSameImage(`mirror/app@${digest}`, '', pinned)).toBe(true);
    expect(namesSameImage('app:some-tag', `app@${other}`, pinned)).toBe(false);
  });

  it('names nothing while it is empty', () => {
    expect(namesSameImage('', '', 'nginx')).toBe(false);
    expect(namesSameImage('', '', '')).toBe(false);
  });
});
