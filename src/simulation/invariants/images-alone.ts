import { jsonEqual } from '../../objects/index.ts';
import type { Invariant } from './invariant.ts';
import { revisionOfPod } from './scene.ts';
import { ownImagePatch, ownPodWrite } from './write-kinds.ts';

export const imagesAlone: Invariant = {
  id: 'I12',
  rule: 'Of the spec of a live Pod only images are ever written, and only to what the target revision says.',
  begin: () => ({
    before: (judged) => {
      const written = ownPodWrite(judged, 'patch') ?? ownPodWrite(judged, 'update');
      if (written?.previous === undefined) return undefined;
      const { pod, previous, name } = written;
      const blank = (it: typeof pod): unknown => ({
        ...it.spec,
        containers: it.spec.containers.map((container) => ({ ...container, image: '' })),
      });
      if (!jsonEqual(blank(pod), blank(previous))) return `Pod ${name}: more than images of its spec was written`;
      const changes = ownImagePatch(judged)?.changes ?? [];
      const role = judged.scene.roles(revisionOfPod(pod))?.find((it) => it.name === written.role);
      const template = written.index === 0 ? role?.entryTemplate : role?.workerTemplate;
      const wrong = changes.find(
        ({ container, to }) => template?.spec?.containers.find((it) => it.name === container)?.image !== to,
      );
      if (wrong === undefined) return undefined;
      return `Pod ${name}: container ${wrong.container} got ${wrong.to}, which is not what revision ${revisionOfPod(pod)} says`;
    },
  }),
};
