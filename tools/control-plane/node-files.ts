// What the node's programs read. JSON where they take it (it is YAML as well), containerd's own TOML.
import { type Bed, inBed, nodeAddress } from './bed.ts';
import { registry } from './images.ts';

export const cniConfig = (bed: Bed): string =>
  JSON.stringify({
    cniVersion: '1.0.0',
    name: bed.name,
    plugins: [
      {
        type: 'bridge',
        bridge: bed.name,
        isGateway: true,
        ipMasq: false,
        hairpinMode: true,
        ipam: {
          type: 'host-local',
          dataDir: inBed(bed, 'cni-leases'),
          ranges: [[{ subnet: `${bed.podNetwork}.0/24` }]],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
    ],
  });

export const containerdConfig = (bed: Bed): string => `version = 2
root = "${inBed(bed, 'containerd')}"
state = "${inBed(bed, 'containerd-state')}"
disabled_plugins = ["io.containerd.internal.v1.opt"]

[grpc]
  address = "${inBed(bed, 'containerd.sock')}"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${registry}/pause:1"
  disable_apparmor = true
  # Without CAP_SYS_RESOURCE no sandbox starts otherwise.
  restrict_oom_score_adj = true
  # So that all mounts are below our folder and nothing is left in /run.
  netns_mounts_under_state_dir = true

  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"

    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false

  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${inBed(bed, 'cni')}"
`;

export const kubeletConfig = (bed: Bed): string =>
  JSON.stringify(
    {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      containerRuntimeEndpoint: `unix://${inBed(bed, 'containerd.sock')}`,
      cgroupDriver: 'cgroupfs',
      // Its own cgroup: two kubelets on one machine would take each other's Pods for orphans.
      cgroupRoot: `/${bed.name}`,
      enforceNodeAllocatable: [],
      failCgroupV1: false,
      failSwapOn: false,
      // Without CAP_SYS_RESOURCE its own score cannot be lowered.
      oomScoreAdj: 0,
      // The disk of a build machine is often fuller than a node's should be.
      evictionHard: {
        'memory.available': '100Mi',
        'nodefs.available': '1%',
        'imagefs.available': '1%',
        'nodefs.inodesFree': '1%',
      },
      imageGCHighThresholdPercent: 100,
      serializeImagePulls: false,
      registerNode: true,
      maxPods: 250,
      address: nodeAddress(bed),
      port: bed.ports.kubelet,
      healthzPort: 0,
      makeIPTablesUtilChains: false,
      podLogsDir: inBed(bed, 'pod-logs'),
      volumePluginDir: inBed(bed, 'volume-plugins'),
      authentication: {
        anonymous: { enabled: false },
        webhook: { enabled: true },
        x509: { clientCAFile: inBed(bed, 'ca.crt') },
      },
      authorization: { mode: 'Webhook' },
    },
    undefined,
    2,
  );
