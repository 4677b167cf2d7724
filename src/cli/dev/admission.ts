import { type ModelServing, modelServingResource, refusalMessage, validate } from '../../api/index.ts';
import type { AdmissionPlugin } from '../../cluster/index.ts';

/** The rules of the validating webhook, inside the embedded cluster: the same refusals and warnings, no network. */
export const modelServingAdmission: AdmissionPlugin = {
  name: 'validate.modelserving.volcano.sh',
  admit: ({ operation, group, resource, subresource, object }) => {
    const concerns = group === modelServingResource.group && resource === modelServingResource.plural;
    if (!concerns || subresource !== undefined || operation === 'DELETE' || object === undefined) {
      return { allowed: true };
    }
    const { errors, warnings } = validate(object as ModelServing);
    return errors.length === 0
      ? { allowed: true, warnings }
      : { allowed: false, code: 422, message: refusalMessage(errors) };
  },
};
