import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { reasonToInstall, rememberInstall } from './installed.mjs';
import { npmCache, npmScript } from './npm.mjs';
import { say } from './say.mjs';

// Whatever NODE_ENV, `omit`, `only` or `dry-run` say: the compiler and the test runner are development dependencies, and
// their binaries are optional ones.
const everything = ['--include=dev', '--include=optional', '--include=peer', '--dry-run=false', '--global=false'];
const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--no-progress', '--loglevel=http'];

const unreachable =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/;

const sentenceFor = (output) => {
  const offline = unreachable.exec(output)?.[0];
  if (offline !== undefined) {
    return `The package registry cannot be reached (${offline}); connect to the network once and run the same command again.`;
  }
  if (/\bENOSPC\b/.test(output)) return 'The disk is full (ENOSPC); free some space and run the same command again.';
  if (/\b(?:EACCES|EROFS|EPERM)\b/.test(output)) return 'npm may not write here; see its message above.';
  return 'npm could not install the dependencies; see its message above.';
};

const errorLines = (lines) => lines.filter((line) => /^npm (?:ERR!|error)/.test(line) && !/complete log/i.test(line));

/** Shows how far an install is, once a second on a terminal and every five seconds in a log. */
const showProgress = (total) => {
  const terminal = process.stderr.isTTY === true;
  const state = { fetched: 0, seconds: 0, troubled: false };
  const timer = setInterval(() => {
    state.seconds += 1;
    const fetched = state.fetched > 0 ? `, ${Math.min(state.fetched, total)} of ${total} packages asked for` : '';
    const text = `installing, ${state.seconds} s${fetched}`;
    if (terminal) process.stderr.write(`\r\u001b[Kmodelserving: ${text}`);
    else if (state.seconds % 5 === 0) say(text);
  }, 1000);
  return {
    see: (line) => {
      if (/npm (?:ERR! )?http fetch/.test(line)) state.fetched += 1;
      const trouble = unreachable.exec(line)?.[0];
      if (trouble === undefined || state.troubled) return;
      state.troubled = true;
      if (terminal) process.stderr.write('\r\u001b[K');
      say(`the package registry does not answer (${trouble}); npm tries again for about a minute`);
    },
    end: () => {
      clearInterval(timer);
      if (terminal) process.stderr.write('\r\u001b[K');
    },
  };
};

const npmCi = async (root, script, progress) => {
  const cache = npmCache();
  const child = spawn(process.execPath, [script, 'ci', ...everything, ...quiet, '--cache', cache.path], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  const lines = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      progress.see(line);
    });
  }
  const ended = await new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, error }));
    child.on('close', (code, signal) => resolve({ code: code ?? 1, signal }));
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, stop);
  cache.discard();
  return { ...ended, lines };
};

/**
 * Brings node_modules to what package-lock.json asks for, with npm's own `ci`; does nothing where it is so already.
 *
 * @returns whether the dependencies are there; the reason where they are not has been printed
 */
export const ensureInstalled = async (root) => {
  const reason = reasonToInstall(root);
  if (reason === undefined) return true;
  const script = npmScript();
  if (script === undefined) {
    say('npm was not found next to this Node; run `npm ci --include=dev` in this folder, then the same command again.');
    return false;
  }
  const total = Object.keys(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages).length - 1;
  say(`installing ${total} packages with npm ci, because ${reason} (about half a minute)`);
  const progress = showProgress(total);
  const result = await npmCi(root, script, progress);
  progress.end();
  if (result.code === 0) {
    rememberInstall(root);
    say('dependencies installed');
    return true;
  }
  if (result.signal !== undefined && result.signal !== null) {
    say(`the install was stopped by ${result.signal}; run the same command to start it again.`);
    return false;
  }
  for (const line of errorLines(result.lines).slice(0, 12)) process.stderr.write(`${line}\n`);
  say(sentenceFor(result.lines.join('\n')));
  return false;
};
