/** Where the program speaks to a person: lines that stay, and below them a block that is drawn anew. */
export interface Screen {
  readonly isTerminal: boolean;
  /** Prints a line for good. */
  say(line?: string): void;
  /** Shows the present state. Without a terminal, prints the lines that were not in the previous one. */
  show(lines: readonly string[]): void;
  /** Leaves the block where it is and goes on below it. */
  settle(): void;
}

export interface ScreenOptions {
  readonly isTerminal: boolean;
  /** Columns of the terminal; longer lines of the block are cut, or drawing over them would go wrong. */
  columns(): number;
  write(text: string): void;
}

export const openScreen = ({ isTerminal, columns, write }: ScreenOptions): Screen => {
  let block: readonly string[] = [];
  const erase = (): void => {
    if (block.length > 0) write(`\u001b[${block.length}A\u001b[J`);
  };
  const draw = (lines: readonly string[]): void => {
    for (const line of lines) write(`${line.slice(0, Math.max(20, columns() - 1))}\n`);
  };
  if (!isTerminal) {
    return {
      isTerminal,
      say: (line = '') => write(`${line}\n`),
      show: (lines) => {
        for (const line of lines) if (!block.includes(line)) write(`${line}\n`);
        block = lines;
      },
      // What was printed stays printed: only what differs from it is worth another line.
      settle: () => undefined,
    };
  }
  return {
    isTerminal,
    say: (line = '') => {
      erase();
      write(`${line}\n`);
      draw(block);
    },
    show: (lines) => {
      if (lines.length === block.length && lines.every((line, index) => line === block[index])) return;
      erase();
      block = lines;
      draw(block);
    },
    settle: () => {
      block = [];
    },
  };
};
