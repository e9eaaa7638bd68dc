import type { Mutation } from './mutation.ts'

const config = ['server/config.test.ts']
const release = ['scripts/release/release.test.ts']
const lockfile = ['scripts/checks/lockfile.test.ts']

/** What the program is made of, and what of it must not be in production. */
export const supplyMutations: Mutation[] = [
  {
    name: 'a package may be anything that answers to its name',
    file: 'scripts/checks/lockfile.ts',
    find: '!isHashed && `',
    replace: 'false && `',
    tests: lockfile,
    guards: 'S1',
  },
  {
    name: 'a package may come from a folder of this machine',
    file: 'scripts/checks/lockfile.ts',
    find: 'return folders.includes(named) ? [] : [',
    replace: 'return named ? [] : [',
    tests: lockfile,
    guards: 'S1',
  },
  {
    name: 'packages run programs when they are installed',
    file: '.npmrc',
    find: 'ignore-scripts=true',
    replace: 'ignore-scripts=false',
    tests: ['scripts/checks/install-scripts.test.ts'],
    guards: 'S2',
  },
  {
    name: 'a package that wants to run a program is not told of',
    file: 'scripts/checks/lockfile.ts',
    find: 'hasInstallScript && !scriptsLeftOut',
    replace: 'hasInstallScript && scriptsLeftOut',
    tests: lockfile,
    guards: 'S2',
  },
  {
    name: 'a secret that was taken out again is forgotten',
    file: 'scripts/checks/secrets.ts',
    find: "['rev-list', '--objects', 'HEAD']",
    replace: "['rev-list', '--objects', '--max-count=1', '--no-walk', 'HEAD']",
    tests: ['scripts/checks/secrets.test.ts'],
    guards: 'S3',
  },
  {
    name: 'a licence that takes ours over is fine',
    file: 'scripts/checks/licences.ts',
    find: 'return choices.some(',
    replace: 'return choices.length > 0 || choices.some(',
    tests: ['scripts/checks/licences.test.ts'],
    guards: 'S3',
  },
  {
    name: 'a list of parts may leave packages out',
    file: 'scripts/release/release-texts.ts',
    find: '.filter((each) => !told.has(each))',
    replace: ".filter((each) => !told.has(each) && each === '')",
    tests: release,
    guards: 'S3',
  },
  {
    name: 'an archive tells when it was made',
    file: 'scripts/release/release-pack.ts',
    find: 'packed[9] = 255',
    replace: 'packed.writeUInt32LE(Number(process.hrtime.bigint() % 1_000_000_000n), 4)',
    tests: release,
    guards: 'S3',
  },
  {
    name: 'what is not committed is released',
    file: 'scripts/release/release-steps.ts',
    find: 'changesIn(root) && `There',
    replace: 'false && `There',
    tests: release,
    guards: 'S3',
  },
  {
    name: 'the demo may be on in production',
    file: 'server/environment.ts',
    find: 'read.ATRIUM_DEMO && ',
    replace: 'false && ',
    tests: config,
    guards: 'S4',
  },
  {
    name: 'production starts on an empty database of its own',
    file: 'server/environment.ts',
    find: "read.ATRIUM_EMBEDDED_DATABASE || read.NODE_ENV !== 'production'",
    replace: 'read.NODE_ENV',
    tests: config,
    guards: 'S4',
  },
  {
    name: 'a misspelt setting is nobody’s business',
    file: 'server/environment.ts',
    find: 'problems.push(...misspelt)',
    replace: 'problems.push()',
    tests: config,
    guards: 'S4',
  },
  {
    name: 'production takes passwords that everybody knows',
    file: 'server/environment.ts',
    find: 'secret !== undefined && defaults.includes(secret.toLowerCase())',
    replace: "secret !== undefined && defaults.includes('')",
    tests: config,
    guards: 'S4',
  },
]
