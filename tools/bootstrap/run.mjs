import { spawn } from 'node:child_process';

/**
 * Runs a script on this same Node, on our terminal, until it ends.
 *
 * A Ctrl-C on a terminal reaches the whole process group, so it is not passed on a second time (a program may take a
 * second one for "at once"); any other signal reaches this process alone and is.
 *
 * @param options.onMessage  gets what the program says through `process.send`, if it does
 * @returns                  `{ code, signal }` as Node reports them
 */
export const runNode = ({ args, root, env = process.env, onMessage }) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env,
      stdio: onMessage === undefined ? 'inherit' : ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    if (onMessage !== undefined) child.on('message', onMessage);
    const pass = (signal) => {
      if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    const end = (result) => {
      for (const signal of signals) process.off(signal, pass);
      resolve(result);
    };
    child.on('error', (error) => {
      process.stderr.write(`modelserving: ${args[0]} could not be started: ${error.message}\n`);
      end({ code: 1, signal: null });
    });
    child.on('close', (code, signal) => end({ code, signal }));
  });

/** Ends this process the way its program ended: with the same exit code, or by the same signal. */
export const endLike = ({ code, signal }) => {
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
};
