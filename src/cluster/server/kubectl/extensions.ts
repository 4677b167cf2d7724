import type { Clock } from '../../../platform/index.ts';
import type { ServerExtensions } from '../seam.ts';
import { discoveryPage } from './discovery/discovery-page.ts';
import { openApiPage } from './open-api/open-api-page.ts';
import { decodeProtobuf, protobufMediaType } from './protobuf/envelope.ts';
import { reviewPage } from './reviews.ts';
import { rootPage } from './root-page.ts';
import { chooseRendering } from './table/rendering.ts';

/** Everything kubectl and other people's clients need beyond the resources themselves. Ages are read off this clock. */
export const kubectlExtensions = (clock: Clock): ServerExtensions => ({
  pages: [rootPage, discoveryPage, openApiPage, reviewPage],
  rendering: chooseRendering(() => clock.wall()),
  decoders: { [protobufMediaType]: decodeProtobuf },
});
