import { describe, expect, it } from 'vitest';
import { createImageCatalogue, createImageStore } from './image-store.ts';

describe('the images of a node', () => {
  it('are known by every spelling of their name', () => {
    const store = createImageStore(createImageCatalogue({}));
    store.pulled('engine');
    expect(['engine:latest', 'docker.io/library/engine', 'index.docker.io/engine:latest'].map(store.has)).toEqual([
      true,
      true,
      true,
    ]);
    expect(store.has('engine:v1')).toBe(false);
  });

  it('report the first name that was pulled, and one imageID for one content', () => {
    const catalogue = createImageCatalogue({ 'b:1': { content: 'x' }, 'a:1': { content: 'x' } });
    const store = createImageStore(catalogue);
    store.pulled('b:1');
    const before = store.report('x');
    store.pulled('a:1');
    expect(store.report('x')).toEqual(before);
    expect(before.image).toBe('docker.io/library/b:1');
  });

  it('that lost their last name report their digest alone', () => {
    const catalogue = createImageCatalogue({ 'e:1': { content: 'x' } });
    const store = createImageStore(catalogue);
    store.pulled('e:1');
    const { imageID } = store.report('x');
    catalogue.set('e:1', { content: 'y' });
    store.pulled('e:1');
    const digest = imageID.slice(imageID.indexOf('@') + 1);
    expect(store.report('x')).toEqual({ image: digest, imageID: digest });
    expect(store.report('y').imageID).not.toContain(digest);
  });

  it('prefer a tag to a digest as their name', () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const store = createImageStore(createImageCatalogue({ 'e:1': { content: digest } }));
    store.pulled(`e@${digest}`);
    expect(store.report(digest)).toEqual({
      image: `docker.io/library/e@${digest}`,
      imageID: `docker.io/library/e@${digest}`,
    });
    store.pulled('e:1');
    expect(store.report(digest).image).toBe('docker.io/library/e:1');
  });

  it('have a bare digest for imageID where they were imported, and another name where the runtime says so', () => {
    const images = { 'e:1': { imported: true }, 'e:2': { reportedAs: 'other/name:x' } };
    const catalogue = createImageCatalogue(images);
    const store = createImageStore(catalogue);
    store.pulled('e:1');
    store.pulled('e:2');
    expect(store.report(catalogue.contentOf('e:1')).imageID).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(store.report(catalogue.contentOf('e:2')).image).toBe('other/name:x');
  });

  it('have digests that differ where contents differ a little', () => {
    const store = createImageStore(createImageCatalogue({}));
    const ids = Array.from({ length: 200 }, (_, i) => store.report(`content-${i}`).imageID);
    expect(new Set(ids.map((id) => id.slice(7, 15))).size).toBe(200);
  });
});
