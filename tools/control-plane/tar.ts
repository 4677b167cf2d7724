// Just enough of the ustar format for container images: folders, files and symbolic links, owned by root, without times,
// so that the same content gives the same bytes and the same image ID everywhere.

export type TarEntry =
  | { readonly kind: 'file'; readonly path: string; readonly content: Buffer; readonly mode?: number }
  | { readonly kind: 'folder'; readonly path: string; readonly mode?: number }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

const block = 512;
const typeFlags = { file: '0', link: '2', folder: '5' } as const;

const header = (entry: TarEntry): Buffer => {
  if (Buffer.byteLength(entry.path) > 100) throw new Error(`path too long for this tar: ${entry.path}`);
  const bytes = Buffer.alloc(block);
  const octal = (value: number, offset: number, length: number): void => {
    bytes.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset, 'latin1');
  };
  bytes.write(entry.path, 0);
  octal(entry.kind === 'link' ? 0o777 : (entry.mode ?? 0o755), 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(entry.kind === 'file' ? entry.content.length : 0, 124, 12);
  octal(0, 136, 12);
  bytes.write(typeFlags[entry.kind], 156);
  if (entry.kind === 'link') bytes.write(entry.target, 157);
  bytes.write('ustar\0' + '00', 257, 'latin1');
  // The checksum is taken with its own field full of blanks.
  bytes.fill(' ', 148, 156);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
};

const padded = (content: Buffer): Buffer =>
  Buffer.concat([content, Buffer.alloc((block - (content.length % block)) % block)]);

/** The bytes of a tar archive with these entries, in this order. */
export const tar = (entries: readonly TarEntry[]): Buffer =>
  Buffer.concat([
    ...entries.flatMap((entry) => (entry.kind === 'file' ? [header(entry), padded(entry.content)] : [header(entry)])),
    Buffer.alloc(2 * block),
  ]);
