/** One line about what the bootstrap does. On stderr: stdout belongs to the program that is run. */
export const say = (text) => process.stderr.write(`modelserving: ${text}\n`);
