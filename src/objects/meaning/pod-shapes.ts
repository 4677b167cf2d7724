import type { Shape } from './shape.ts';

// What the API server fills in when a Pod is created without it (pkg/apis/core/v1/defaults.go, as of 1.34), what
// admission fills in (service account, priority), and Go's zero values, which are left out when Go writes JSON. Field
// by field, so that a default nobody has listed here counts as a difference, never as a sameness.

const fieldRef: Shape = { silent: { apiVersion: ['v1'] } };

const resourceFieldRef: Shape = { quantities: ['divisor'], silent: { divisor: ['0'] } };

const selector: Shape = { maps: ['matchLabels'] };

const resources: Shape = { quantities: ['limits', 'requests'] };

const env: Shape = { fields: { valueFrom: { fields: { fieldRef, resourceFieldRef } } } };

const handler: Shape = { fields: { httpGet: { silent: { path: ['/'], scheme: ['HTTP'] } } } };

const probe: Shape = {
  ...handler,
  silent: {
    initialDelaySeconds: [0],
    timeoutSeconds: [0, 1],
    periodSeconds: [0, 10],
    successThreshold: [0, 1],
    failureThreshold: [0, 3],
  },
};

const containerSecurityContext: Shape = {
  silent: { privileged: [false], readOnlyRootFilesystem: [false], procMount: ['Default'] },
  hollow: ['capabilities', 'seLinuxOptions', 'windowsOptions'],
};

const container: Shape = {
  silent: {
    terminationMessagePath: ['/dev/termination-log'],
    terminationMessagePolicy: ['File'],
    stdin: [false],
    stdinOnce: [false],
    tty: [false],
  },
  hollow: ['resources', 'securityContext', 'lifecycle'],
  fields: {
    env,
    ports: { silent: { protocol: ['TCP'], hostPort: [0] } },
    resources,
    livenessProbe: probe,
    readinessProbe: probe,
    startupProbe: probe,
    lifecycle: { fields: { postStart: handler, preStop: handler } },
    securityContext: containerSecurityContext,
  },
};

const files: Shape = { silent: { defaultMode: [420] } };

const downwardItems: Shape = { fields: { fieldRef, resourceFieldRef } };

const volume: Shape = {
  fields: {
    secret: files,
    configMap: files,
    downwardAPI: { ...files, fields: { items: downwardItems } },
    projected: {
      ...files,
      fields: {
        sources: {
          fields: {
            serviceAccountToken: { silent: { expirationSeconds: [3600] } },
            downwardAPI: { fields: { items: downwardItems } },
            clusterTrustBundle: { fields: { labelSelector: selector } },
          },
        },
      },
    },
    emptyDir: { quantities: ['sizeLimit'] },
    ephemeral: {
      fields: {
        volumeClaimTemplate: {
          hollow: ['metadata'],
          fields: {
            metadata: { maps: ['labels', 'annotations'] },
            spec: {
              silent: { volumeMode: ['Filesystem'] },
              hollow: ['resources'],
              fields: { resources, selector },
            },
          },
        },
      },
    },
    csi: { maps: ['volumeAttributes'] },
    flexVolume: { maps: ['options'] },
    iscsi: { silent: { iscsiInterface: ['default'] } },
    rbd: { silent: { pool: ['rbd'], user: ['admin'], keyring: ['/etc/ceph/keyring'] } },
    azureDisk: { silent: { cachingMode: ['ReadWrite'], kind: ['Shared'], fsType: ['ext4'] } },
    scaleIO: { silent: { fsType: ['xfs'], storageMode: ['ThinProvisioned'] } },
  },
};

const podAffinityTerm: Shape = { fields: { labelSelector: selector, namespaceSelector: selector } };

const podAffinity: Shape = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: podAffinityTerm,
    preferredDuringSchedulingIgnoredDuringExecution: { fields: { podAffinityTerm } },
  },
};

const podSpec: Shape = {
  silent: {
    restartPolicy: ['Always'],
    dnsPolicy: ['ClusterFirst'],
    schedulerName: ['default-scheduler'],
    terminationGracePeriodSeconds: [30],
    enableServiceLinks: [true],
    preemptionPolicy: ['PreemptLowerPriority'],
    serviceAccountName: ['default'],
    hostNetwork: [false],
    hostPID: [false],
    hostIPC: [false],
    shareProcessNamespace: [false],
    setHostnameAsFQDN: [false],
  },
  hollow: ['securityContext', 'affinity', 'dnsConfig', 'resources'],
  maps: ['nodeSelector'],
  quantities: ['overhead'],
  fields: {
    containers: container,
    initContainers: container,
    volumes: volume,
    resources,
    securityContext: { hollow: ['seLinuxOptions', 'windowsOptions'] },
    affinity: {
      hollow: ['nodeAffinity', 'podAffinity', 'podAntiAffinity'],
      fields: { podAffinity, podAntiAffinity: podAffinity },
    },
    topologySpreadConstraints: { fields: { labelSelector: selector } },
  },
};

/** How a Pod template may say the same thing in several ways. */
export const podTemplateShape: Shape = {
  hollow: ['metadata', 'spec'],
  fields: { metadata: { maps: ['labels', 'annotations'] }, spec: podSpec },
};
