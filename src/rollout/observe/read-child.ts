import { type PodIdentity, parsePodName } from '../../api/index.ts';
import { controllerOf, type KubeObject, nameOf, type Pod, type Service } from '../../objects/index.ts';
import { instanceKey, type Keyed } from './instance-key.ts';
import { type PodView, viewPod } from './pod-view.ts';

/** The ModelServing for which children are read. */
export interface Owner {
  readonly name: string;
  readonly uid: string;
}

/** `unrelated`: its name is none of ours. `stranger`: it holds a name of ours, but belongs to someone else. */
export type ChildReading<View> = View | 'stranger' | 'unrelated';

/** Which role instance a Service is for; its name is that of the entry Pod. */
export type ServiceView = PodIdentity & Keyed;

export const readPod = (pod: Pod, owner: Owner): ChildReading<PodView> =>
  remembered(podReadings, { object: pod, owner, read: viewPod });

export const readService = (service: Service, owner: Owner): ChildReading<ServiceView> => {
  const reading = remembered(serviceReadings, { object: service, owner, read: viewService });
  return typeof reading === 'object' && reading.index !== 0 ? 'unrelated' : reading;
};

const viewService = (_: Service, identity: PodIdentity): ServiceView => ({
  ...identity,
  instanceKey: instanceKey(identity),
});

interface Remembered<View> {
  readonly owner: Owner;
  readonly reading: ChildReading<View>;
}

/** Objects never change, so each is read once, by the first decision that sees it, and forgotten together with it. */
const podReadings = new WeakMap<Pod, Remembered<PodView>>();
const serviceReadings = new WeakMap<Service, Remembered<ServiceView>>();

interface ReadInput<Child, View> {
  readonly object: Child;
  readonly owner: Owner;
  readonly read: (object: Child, identity: PodIdentity, ownerUID: string) => View;
}

const remembered = <Child extends KubeObject, View>(
  readings: WeakMap<Child, Remembered<View>>,
  { object, owner, read }: ReadInput<Child, View>,
): ChildReading<View> => {
  const known = readings.get(object);
  if (known !== undefined && known.owner.uid === owner.uid && known.owner.name === owner.name) return known.reading;
  const identity = parsePodName(owner.name, nameOf(object));
  const reading =
    identity === undefined
      ? 'unrelated'
      : controllerOf(object)?.uid === owner.uid
        ? read(object, identity, owner.uid)
        : 'stranger';
  readings.set(object, { owner, reading });
  return reading;
};
