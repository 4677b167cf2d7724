import { record } from '../fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A PodSpec as the API server prints it in a refusal: JSON of its internal Go types, whose fields have no JSON names,
 * are never left out, and stand in the order of the struct. One space an indent.
 */
export const linesOfSpec = (spec: Fields): readonly string[] =>
  JSON.stringify(struct('PodSpec', withHostFields(spec)), undefined, 1).split('\n');

/**
 * Fields of the internal types, in order. Behind the colon: `s` text, `i` number, `b` flag (their zero values are
 * shown), `*` null where absent, or a struct of this table, as a value, a pointer (`*T`) or a list (`[]T`). A type that
 * is not here (volumes, affinity) shows only the fields it has.
 */
const types: Readonly<Record<string, string>> = {
  PodSpec:
    'Volumes:* InitContainers:[]Container Containers:[]Container EphemeralContainers:[]EphemeralContainer RestartPolicy:s TerminationGracePeriodSeconds:* ActiveDeadlineSeconds:* DNSPolicy:s NodeSelector:map ServiceAccountName:s AutomountServiceAccountToken:* NodeName:s SecurityContext:*PodSecurityContext ImagePullSecrets:[]LocalObjectReference Hostname:s Subdomain:s SetHostnameAsFQDN:* Affinity:* SchedulerName:s Tolerations:[]Toleration HostAliases:* PriorityClassName:s Priority:* PreemptionPolicy:* DNSConfig:* ReadinessGates:* RuntimeClassName:* Overhead:map EnableServiceLinks:* TopologySpreadConstraints:* OS:* SchedulingGates:* ResourceClaims:* Resources:*ResourceRequirements HostnameOverride:*',
  Container:
    'Name:s Image:s Command:* Args:* WorkingDir:s Ports:[]ContainerPort EnvFrom:* Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:* RestartPolicy:* RestartPolicyRules:* VolumeMounts:[]VolumeMount VolumeDevices:* LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY:b',
  EphemeralContainer:
    'Name:s Image:s Command:* Args:* WorkingDir:s Ports:[]ContainerPort EnvFrom:* Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:* RestartPolicy:* RestartPolicyRules:* VolumeMounts:[]VolumeMount VolumeDevices:* LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY:b TargetContainerName:s',
  PodSecurityContext:
    'HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace:* HostUsers:* SELinuxOptions:* WindowsOptions:* RunAsUser:* RunAsGroup:* RunAsNonRoot:* SupplementalGroups:* SupplementalGroupsPolicy:* FSGroup:* FSGroupChangePolicy:* Sysctls:* SeccompProfile:* AppArmorProfile:* SELinuxChangePolicy:*',
  SecurityContext:
    'Capabilities:* Privileged:* SELinuxOptions:* WindowsOptions:* RunAsUser:* RunAsGroup:* RunAsNonRoot:* ReadOnlyRootFilesystem:* AllowPrivilegeEscalation:* ProcMount:* SeccompProfile:* AppArmorProfile:*',
  ContainerPort: 'Name:s HostPort:i ContainerPort:i Protocol:s HostIP:s',
  EnvVar: 'Name:s Value:s ValueFrom:*EnvVarSource',
  EnvVarSource: 'FieldRef:*ObjectFieldSelector ResourceFieldRef:* ConfigMapKeyRef:* SecretKeyRef:* FileKeyRef:*',
  ObjectFieldSelector: 'APIVersion:s FieldPath:s',
  ResourceRequirements: 'Limits:map Requests:map Claims:*',
  VolumeMount: 'Name:s ReadOnly:b RecursiveReadOnly:* MountPath:s SubPath:s MountPropagation:* SubPathExpr:s',
  Probe:
    'Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction GRPC:* InitialDelaySeconds:i TimeoutSeconds:i PeriodSeconds:i SuccessThreshold:i FailureThreshold:i TerminationGracePeriodSeconds:*',
  Lifecycle: 'PostStart:*LifecycleHandler PreStop:*LifecycleHandler StopSignal:*',
  LifecycleHandler: 'Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction Sleep:*',
  ExecAction: 'Command:*',
  HTTPGetAction: 'Path:s Port:i Host:s Scheme:s HTTPHeaders:*',
  TCPSocketAction: 'Port:i Host:s',
  LocalObjectReference: 'Name:s',
  Toleration: 'Key:s Operator:s Value:s Effect:s TolerationSeconds:*',
};

const struct = (type: string, value: Fields): Fields =>
  Object.fromEntries(
    (types[type] ?? '').split(' ').map((field) => {
      const [name = '', kind = ''] = field.split(':');
      return [name, member(kind, value[jsonName(name)])];
    }),
  );

const member = (kind: string, value: unknown): unknown => {
  switch (kind) {
    case 's':
      return value ?? '';
    case 'i':
      return value ?? 0;
    case 'b':
      return value ?? false;
    case 'map':
      return value ?? null;
    case '*':
      return value === undefined ? null : withGoNames(value);
  }
  if (kind.startsWith('[]'))
    return Array.isArray(value) ? value.map((item) => struct(kind.slice(2), record(item))) : null;
  if (kind.startsWith('*')) return value === undefined ? null : struct(kind.slice(1), record(value));
  return struct(kind, record(value));
};

/** `DNSPolicy` is `dnsPolicy`, `TTY` is `tty`: the leading capitals become small, but for one that starts a word. */
const jsonName = (name: string): string =>
  name.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());

const withGoNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withGoNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, withGoNames(item)]),
  );
};

// What concerns the host stands in the spec of v1, and in the security context of the internal type.
const withHostFields = (spec: Fields): Fields => {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext } = spec;
  if (securityContext === undefined) return spec;
  const host = { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers };
  return { ...spec, securityContext: { ...host, ...record(securityContext) } };
};
