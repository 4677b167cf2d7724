import fc from 'fast-check';

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);
const quantity = fc.constantFrom('1', '500m', '2Gi', '4096Mi', '1.5', '3k');
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const labels = fc.dictionary(fc.constantFrom('app', 'tier', 'example.com/team', 'a.b'), word, { maxKeys: 3 });
const named = <T extends { readonly name: string }>(item: fc.Arbitrary<T>, minLength = 0): fc.Arbitrary<readonly T[]> =>
  fc.uniqueArray(item, { minLength, maxLength: 3, selector: ({ name }) => name });

const probe = fc.record(
  {
    httpGet: fc.record({ port: fc.integer({ min: 1, max: 9000 }), path: fc.constantFrom('/', '/health') }),
    initialDelaySeconds: fc.integer({ min: 0, max: 5 }),
    timeoutSeconds: fc.integer({ min: 1, max: 3 }),
    periodSeconds: fc.constantFrom(10, 20),
  },
  { requiredKeys: ['httpGet'] },
);

const env = fc.oneof(
  fc.record({ name: word, value: word }),
  fc.record({ name: word, valueFrom: fc.record({ fieldRef: fc.record({ fieldPath: fc.constant('metadata.name') }) }) }),
  fc.record({
    name: word,
    valueFrom: fc.record({ secretKeyRef: fc.record({ name: word, key: word, optional: fc.boolean() }) }),
  }),
);

/** Images with a tag that never changes the default pull policy. */
export const image: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('engine', 'registry:5000/team/engine', 'ghcr.io/a/b'), fc.integer({ min: 1, max: 99 }))
  .map(([name, version]) => `${name}:v${version}`);

const container = fc.record(
  {
    name: word,
    image,
    imagePullPolicy: fc.constantFrom('Always', 'IfNotPresent'),
    command: fc.array(word, { maxLength: 2 }),
    args: fc.array(fc.constantFrom('', '-x', 'a && b'), { maxLength: 3 }),
    env: named(env),
    ports: fc.uniqueArray(
      fc.record({ containerPort: fc.integer({ min: 1, max: 9000 }), protocol: some(fc.constant('TCP')) }),
      {
        maxLength: 2,
        selector: ({ containerPort }) => containerPort,
      },
    ),
    resources: fc.record({
      limits: fc.dictionary(fc.constantFrom('cpu', 'memory', 'nvidia.com/gpu'), quantity),
      requests: fc.dictionary(fc.constantFrom('cpu', 'memory'), quantity),
    }),
    readinessProbe: probe,
    volumeMounts: fc.uniqueArray(
      fc.record({ name: word, mountPath: word.map((path) => `/${path}`), readOnly: fc.boolean() }),
      {
        maxLength: 2,
        selector: ({ mountPath }) => mountPath,
      },
    ),
    securityContext: fc.record({ privileged: fc.boolean(), runAsUser: fc.nat(9) }, { requiredKeys: [] }),
    lifecycle: fc.record({ preStop: fc.record({ exec: fc.record({ command: fc.array(word, { minLength: 1 }) }) }) }),
    tty: fc.boolean(),
  },
  { requiredKeys: ['name', 'image'] },
);

const volume = fc.oneof(
  fc.record({ name: word, emptyDir: fc.record({ medium: fc.constantFrom('', 'Memory'), sizeLimit: quantity }) }),
  fc.record({ name: word, configMap: fc.record({ name: word, defaultMode: fc.constantFrom(420, 256) }) }),
  fc.record({ name: word, hostPath: fc.record({ path: fc.constant('/data') }) }),
);

/** A Pod template of a ModelServing, of many kinds; its restartPolicy is Always and no container overrides it. */
export const podTemplate: fc.Arbitrary<{ readonly metadata?: object; readonly spec: object }> = fc.record(
  {
    metadata: fc.record({ labels, annotations: labels }, { requiredKeys: [] }),
    spec: fc.record(
      {
        containers: named(container, 1),
        initContainers: named(container),
        volumes: named(volume),
        restartPolicy: fc.constant('Always'),
        terminationGracePeriodSeconds: fc.constantFrom(0, 30, 600),
        nodeSelector: labels,
        serviceAccountName: fc.constantFrom('default', 'robot'),
        hostNetwork: fc.boolean(),
        tolerations: fc.array(
          fc.record({ key: word, operator: fc.constant('Exists'), effect: fc.constant('NoSchedule') }),
          {
            maxLength: 2,
          },
        ),
        affinity: fc.record({
          podAntiAffinity: fc.record({
            requiredDuringSchedulingIgnoredDuringExecution: fc.array(
              fc.record({ topologyKey: word, labelSelector: fc.record({ matchLabels: labels }) }),
              { maxLength: 2 },
            ),
          }),
        }),
        securityContext: fc.record({ fsGroup: fc.nat(9), runAsNonRoot: fc.boolean() }, { requiredKeys: [] }),
        priorityClassName: word,
        topologySpreadConstraints: fc.array(fc.record({ maxSkew: fc.integer({ min: 1, max: 3 }), topologyKey: word }), {
          maxLength: 2,
        }),
      },
      { requiredKeys: ['containers'] },
    ),
  },
  { requiredKeys: ['spec'] },
);
