import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

const mountPoint = '/sys/fs/cgroup';

// cgroup v2 is one tree; v1 is one tree a controller, each a folder (and links to them, such as `cpu`).
const trees = (): string[] =>
  existsSync(join(mountPoint, 'cgroup.controllers'))
    ? [mountPoint]
    : readdirSync(mountPoint, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(mountPoint, entry.name));

export const makeCgroup = (name: string): void => {
  for (const tree of trees()) mkdirSync(join(tree, name), { recursive: true });
};

// A cgroup is removed like a folder, children first; the files in it go by themselves.
const removeTree = (path: string): void => {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) removeTree(join(path, entry.name));
  }
  rmdirSync(path);
};

/** Removes a cgroup and its children from every tree. Throws EBUSY while a process is in it. */
export const removeCgroup = (name: string): void => {
  for (const tree of trees()) {
    if (existsSync(join(tree, name))) removeTree(join(tree, name));
  }
};
