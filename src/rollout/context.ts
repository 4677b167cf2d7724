import type { ModelServing } from '../api/index.ts';
import type { Draft } from './draft.ts';
import type { PodGroupsView } from './gang/pod-group.ts';
import type { Catalog } from './observe/catalog.ts';
import type { Fleet } from './observe/fleet.ts';
import type { PluginChains } from './observe/plugin-chains.ts';
import type { Records } from './observe/records.ts';
import type { Settings } from './observe/settings.ts';
import type { Memory, Time } from './types.ts';

/** What every step of a decision works with. Only `draft` and `records` change while it is made. */
export interface Context {
  readonly modelServing: ModelServing;
  readonly msName: string;
  readonly ownerUID: string;
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly plugins: PluginChains;
  readonly fleet: Fleet;
  readonly podGroups: PodGroupsView;
  readonly records: Records;
  readonly memory: Memory;
  readonly time: Time;
  readonly draft: Draft;
}
