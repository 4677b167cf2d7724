import { modelServingApiVersion, modelServingResource } from '../api/index.ts';
import { isApiError, type KubeClient, type Log, resources } from '../kube/index.ts';
import type { Event } from '../objects/index.ts';
import { nameOf, uidOf } from '../objects/index.ts';
import type { Clock } from '../platform/index.ts';
import type { SendEvent } from './operator-types.ts';

/** Who the events come from; kthena's name, so that filters of users keep working. */
const component = 'modelserving-controller';

interface EventSenderParts {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: (result: 'sent' | 'failed') => void;
}

/**
 * Sends core/v1 Events under the names the decision gave them. AlreadyExists means that this very event was sent
 * before, perhaps by an earlier process: it counts as sent.
 */
export const eventSender =
  ({ client, clock, log, count }: EventSenderParts): SendEvent =>
  async (about, { name, type, reason, message }) => {
    const { namespace } = about.metadata;
    const now = new Date(clock.wall()).toISOString();
    const timestamp = `${now.slice(0, 19)}Z`;
    const event: Event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace },
      involvedObject: {
        apiVersion: modelServingApiVersion,
        kind: modelServingResource.kind,
        namespace,
        name: nameOf(about),
        uid: uidOf(about),
        resourceVersion: about.metadata.resourceVersion,
      },
      type,
      reason,
      message,
      count: 1,
      firstTimestamp: timestamp,
      lastTimestamp: timestamp,
      source: { component },
      reportingComponent: component,
      reportingInstance: component,
    };
    try {
      await client.create(resources.events, event);
    } catch (err) {
      if (!isApiError(err)) throw err;
      if (err.code !== 'already-exists') {
        count('failed');
        log.warn(
          { err, key: `${namespace}/${nameOf(about)}`, reason },
          `event ${reason} was not taken: ${err.message}`,
        );
        return false;
      }
    }
    count('sent');
    return true;
  };
