import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Sections of the two specifications, and of the desk and the operation, which neither specification covers. */
export const specSections: Record<string, string> = {
  'MP 2.1': 'Members portal: sign-in and password reset',
  'MP 2.2': 'Members portal: home, menu, header, routes',
  'MP 2.3': 'Members portal: profile',
  'MP 2.4': 'Members portal: opening an account',
  'MP 2.5': 'Members portal: deposits',
  'MP 2.6': 'Members portal: result of a deposit',
  'MP 2.7': 'Members portal: documents',
  'MP 2.8': 'Members portal: terms',
  'MP 3': 'Members portal: entities and their fields',
  'MP 4': 'Members portal: states and transitions',
  'MP 5': 'Members portal: validation',
  'MP 6': 'Members portal: roles and permissions',
  'MP 7': 'Members portal: calls',
  'MP 8': 'Members portal: messages and errors',
  'MP 9': 'Members portal: numbers',
  'AO 2.1': 'Account operations: routes and layout',
  'AO 2.2': 'Account operations: accounts',
  'AO 2.3': 'Account operations: one account',
  'AO 2.4': 'Account operations: deposit and withdrawal forms',
  'AO 2.5': 'Account operations: transactions',
  'AO 2.6': 'Account operations: downloads',
  'AO 2.7': 'Account operations: dashboard',
  'AO 2.8': 'Account operations: bank accounts and other accounts',
  'AO 2.9': 'Account operations: tickets',
  'AO 2.10': 'Account operations: requests',
  'AO 3': 'Account operations: entities and their fields',
  'AO 4': 'Account operations: states and transitions',
  'AO 5': 'Account operations: validation',
  'AO 6': 'Account operations: roles and permissions',
  'AO 7': 'Account operations: calls',
  'AO 8': 'Account operations: messages and errors',
  'AO 9': 'Account operations: numbers',
  'DK frame': 'Desk: frame, navigation, keyboard',
  'DK session': 'Desk: sign-in and sessions',
  'DK members': 'Desk: members',
  'DK accounts': 'Desk: trading accounts',
  'DK documents': 'Desk: identity documents',
  'DK tickets': 'Desk: tickets',
  'DK forms': 'Desk: form builder',
  'DK requests': 'Desk: requests',
  'DK workspace': 'Desk: settings of the workspace',
  'DK reconciliation': 'Desk: daily reconciliation',
  'DK mails': 'Desk: dead letters of emails',
  'DK platforms': 'Desk: platforms',
  'DK payments': 'Desk: payment providers and exceptions',
  'DK terms': 'Desk: terms',
  'DK staff': 'Desk: staff and roles',
  'DK record': 'Desk: audit log',
  'OP factors': 'Operation: second factors and holds',
  'OP notifications': 'Operation: notifications and mails',
  'OP backups': 'Operation: backups, restoring, copies',
  'OP faults': 'Operation: attacks and faults',
  'OP operation': 'Operation: configuration, processes, upgrades, releases',
}

const tests = '{bench,contract,demo,journeys,scripts,server,simulators,tests,web}/**/*.{test,journey}.{ts,tsx}'

/** A test says by a line `// spec: MP 5, AO 7` what it covers. */
function covering(root: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of globSync(tests, { cwd: root, exclude: ['**/node_modules/**', 'web/dist/**'] }).sort())
    for (const [, named = ''] of readFileSync(join(root, file), 'utf8').matchAll(/^\/\/ spec: (.+)$/gm))
      for (const section of named.split(', ')) found.set(section, [...(found.get(section) ?? []), file])
  return found
}

/** Reports sections that no test names, and unknown sections in tests. */
export function checkCoverage(root: string): string[] {
  const found = covering(root)
  const unknown = [...found].filter(([section]) => !Object.hasOwn(specSections, section))
  return [
    ...Object.keys(specSections).flatMap((section) => (found.has(section) ? [] : [`${section}: no test covers it`])),
    ...unknown.flatMap(([section, files]) => files.map((file) => `${file}: there is no section ${section}`)),
  ]
}

export function drawCoverage(root: string): string {
  const found = covering(root)
  const rows = Object.entries(specSections).map(([section, title]) => {
    const files = (found.get(section) ?? []).map((file) => `[${basename(file)}](../${file})`)
    return `| ${section} | ${title} | ${files.join(', ')} |`
  })
  return [
    '# Coverage of the specification',
    '',
    'Printed by `npm run generate` from what tests say of themselves: a line `// spec: MP 5, AO 7` names the sections that a test covers.',
    'The sections are listed in `scripts/spec-coverage.ts`; each has a test.',
    '',
    '| Section | About | Tests |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
