import type { Mutation } from './mutation.ts'

const config = ['server/config.test.ts']
const release = ['scripts/release/release.test.ts']
const lockfile = ['scripts/checks/lockfile.test.ts']

/** Dependencies, releases, and settings that production must refuse. */
export const supplyMutations: Mutation[] = [
  {
    name: 'a package without a hash is accepted',
    file: 'scripts/checks/lockfile.ts',
    find: '!isHashed && `',
    replace: 'false && `',
    tests: lockfile,
    guards: 'S1',
  },
  {
    name: 'a package from a local folder is accepted',
    file: 'scripts/checks/lockfile.ts',
    find: 'return folders.includes(named) ? [] : [',
    replace: 'return named ? [] : [',
    tests: lockfile,
    guards: 'S1',
  },
  {
    name: 'packages run install scripts',
    file: '.npmrc',
    find: 'ignore-scripts=true',
    replace: 'ignore-scripts=false',
    tests: ['scripts/checks/install-scripts.test.ts'],
    guards: 'S2',
  },
  {
    name: 'a removed secret is not found in the history',
    file: 'scripts/checks/secrets.ts',
    find: "['rev-list', '--objects', 'HEAD']",
    replace: "['rev-list', '--objects', '--max-count=1', '--no-walk', 'HEAD']",
    tests: ['scripts/checks/secrets.test.ts'],
    guards: 'S3',
  },
  {
    name: 'a copyleft licence is accepted',
    file: 'scripts/checks/licences.ts',
    find: 'return choices.some(',
    replace: 'return choices.length > 0 || choices.some(',
    tests: ['scripts/checks/licences.test.ts'],
    guards: 'S3',
  },
  {
    name: 'the bill of materials can omit packages',
    file: 'scripts/release/release-texts.ts',
    find: '.filter((each) => !bundled.has(each))',
    replace: ".filter((each) => !bundled.has(each) && each === '')",
    tests: release,
    guards: 'S3',
  },
  {
    name: 'an archive contains its creation time',
    file: 'scripts/release/release-pack.ts',
    find: 'packed[9] = 255',
    replace: 'packed.writeUInt32LE(Number(process.hrtime.bigint() % 1_000_000_000n), 4)',
    tests: release,
    guards: 'S3',
  },
  {
    name: 'uncommitted changes are released',
    file: 'scripts/release/release-steps.ts',
    find: 'changesIn(root) && `Some',
    replace: 'false && `Some',
    tests: release,
    guards: 'S3',
  },
  {
    name: 'the demo can be on in production',
    file: 'server/read-environment.ts',
    find: 'read.ATRIUM_DEMO && ',
    replace: 'false && ',
    tests: config,
    guards: 'S4',
  },
  {
    name: 'production starts with an empty embedded database',
    file: 'server/read-environment.ts',
    find: "read.ATRIUM_EMBEDDED_DATABASE || read.NODE_ENV !== 'production'",
    replace: 'read.NODE_ENV',
    tests: config,
    guards: 'S4',
  },
  {
    name: 'production accepts well-known passwords',
    file: 'server/read-environment.ts',
    find: 'secret !== undefined && defaults.includes(secret.toLowerCase())',
    replace: "secret !== undefined && defaults.includes('')",
    tests: config,
    guards: 'S4',
  },
]
