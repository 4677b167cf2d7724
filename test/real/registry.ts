// A registry of the test images on loopback, in plain HTTP: containerd pulls from 127.0.0.1 without being told how.
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltImage, buildImages, sha256 } from '../../tools/control-plane/images.ts';

export interface Registry {
  /** `127.0.0.1:PORT/ms` */
  readonly name: string;
  /** How long each layer takes from now on, milliseconds. */
  readonly setDelay: (milliseconds: number) => void;
  readonly close: () => Promise<void>;
}

interface Blob {
  readonly content: Buffer;
  readonly type: string;
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const configType = 'application/vnd.oci.image.config.v1+json';
const layerType = 'application/vnd.oci.image.layer.v1.tar';

const manifestOf = ({ config, layer }: BuiltImage): Buffer => {
  const described = (content: Buffer, mediaType: string): object => ({
    mediaType,
    digest: `sha256:${sha256(content)}`,
    size: content.length,
  });
  return Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config: described(config, configType),
      layers: [described(layer, layerType)],
    }),
  );
};

/** What is answered to `/v2/ms/NAME/(manifests|blobs)/REFERENCE`, by `NAME REFERENCE`. */
const contents = (): ReadonlyMap<string, Blob> => {
  const blobs = new Map<string, Blob>();
  for (const image of buildImages('a registry')) {
    const manifest = manifestOf(image);
    for (const tagged of image.tags) {
      const [name = '', tag = ''] = tagged.split(':');
      const add = (reference: string, content: Buffer, type: string): void => {
        blobs.set(`${name} ${reference}`, { content, type });
      };
      add(tag, manifest, manifestType);
      add(`sha256:${sha256(manifest)}`, manifest, manifestType);
      add(`sha256:${sha256(image.config)}`, image.config, configType);
      add(`sha256:${sha256(image.layer)}`, image.layer, layerType);
    }
  }
  return blobs;
};

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

export const openRegistry = async (): Promise<Registry> => {
  const blobs = contents();
  let delayMs = 0;
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const [, name = '', reference = ''] =
        /^\/v2\/ms\/([^/]+)\/(?:manifests|blobs)\/([^?]+)/.exec(request.url ?? '') ?? [];
      const blob = blobs.get(`${name} ${reference}`);
      if (blob === undefined) {
        response.writeHead(request.url === '/v2/' ? 200 : 404).end();
        return;
      }
      if (blob.type === configType) await sleep(delayMs);
      response.writeHead(200, {
        'content-type': blob.type,
        'content-length': blob.content.length,
        'docker-content-digest': `sha256:${sha256(blob.content)}`,
      });
      response.end(request.method === 'HEAD' ? undefined : blob.content);
    };
    answer().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  const port = await listen(server);
  return {
    name: `127.0.0.1:${port}/ms`,
    setDelay: (milliseconds) => {
      delayMs = milliseconds;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
