import type { KubeClient, Resource } from '../../kube/index.ts';
import type { KubeObject } from '../../objects/index.ts';

interface ApiGroupList {
  readonly groups?: readonly { readonly preferredVersion?: { readonly groupVersion: string } }[];
}

interface ApiResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

/** Every kind whose objects can be listed, watched and deleted, each in the version its group prefers. */
export const discover = async (client: KubeClient): Promise<readonly Resource<KubeObject>[]> => {
  const { groups = [] } = (await client.raw('/apis')) as ApiGroupList;
  const groupVersions = ['v1', ...groups.flatMap((group) => group.preferredVersion?.groupVersion ?? [])];
  const found = await Promise.all(groupVersions.map((groupVersion) => resourcesOf(client, groupVersion)));
  return found.flat();
};

const resourcesOf = async (client: KubeClient, groupVersion: string): Promise<readonly Resource<KubeObject>[]> => {
  const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
  const { resources = [] } = (await client.raw(path)) as ApiResourceList;
  const [version = '', group = ''] = groupVersion.split('/').toReversed();
  return resources
    .filter(
      ({ name, verbs }) => !name.includes('/') && ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb)),
    )
    .map(({ name, kind, namespaced }) => ({ group, version, plural: name, kind, namespaced }));
};
