import type { Api } from './api.ts';
import { pods } from './api.ts';
import { until } from './wait.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const name = 'deny-updates';

/** Makes the API server refuse every update of one Pod (its status aside), until the returned function is called. */
export const denyUpdates = async (api: Api, pod: string): Promise<() => Promise<void>> => {
  const policies = `${group}/validatingadmissionpolicies`;
  const bindings = `${group}/validatingadmissionpolicybindings`;
  await api.create(policies, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['pods'] }],
      },
      validations: [{ expression: `object.metadata.name != '${pod}'`, message: 'not for now' }],
    },
  });
  await api.create(bindings, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  });
  const isRefused = (): Promise<boolean> =>
    api.patch(`${pods}/${pod}?dryRun=All`, { metadata: { annotations: { touched: 'yes' } } }).then(
      () => false,
      () => true,
    );
  await until('the policy to be in force', isRefused);
  return async () => {
    await api.remove(`${bindings}/${name}`);
    await api.remove(`${policies}/${name}`);
    await until('the policy to be gone', async () => !(await isRefused()));
  };
};
