/** The files a process may read or write. Paths are the machine's own. */
export interface Files {
  /** Throws what Node's `readFile` throws (`ENOENT`, `EACCES`, …). */
  read(path: string): Promise<Uint8Array>;
  /**
   * Replaces the file in one step (write beside it, then rename), with these permission bits. Folders that are missing
   * are made.
   */
  write(path: string, data: Uint8Array | string, mode: number): Promise<void>;
  /** Does nothing where there is no file. */
  remove(path: string): Promise<void>;
}
