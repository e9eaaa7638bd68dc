import { backupCommands, copyCommands } from './backups.ts'
import { brokerageCommands } from './brokerages.ts'
import type { Command } from './command.ts'
import { peopleCommands } from './people.ts'
import { retentionCommands } from './retention.ts'
import { workCommands } from './work.ts'

export const commands: Command[] = [
  ...brokerageCommands,
  ...peopleCommands,
  ...retentionCommands,
  ...workCommands,
  ...backupCommands,
  ...copyCommands,
]

/** Whether any command belongs to this topic. */
export const isTopic = (about: string): boolean => commands.some(({ words }) => words.startsWith(`${about} `))

/** The help for all commands, or for those of one topic. */
export function usage(about?: string): string {
  const chosen = commands.filter(({ words }) => words.startsWith(`${about} `))
  const listed = (chosen.length > 0 ? chosen : commands).map(({ words, takes, summary }) => {
    const call = `  ${words} ${takes}`.trimEnd()
    return `${call.padEnd(60)}  ${summary}`
  })
  const head = 'npm run admin -- <what> <which> [...]   (--help after a command describes it; --version)'
  const ends = 'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the check found a problem.'
  const forMachines = 'JSON output: npm run --silent admin -- <what> <which> [...] --json'
  const asJson = 'Failures are written as {"error", "code"}, and with exit code 3 also "found".'
  return `${head}\n\n${listed.join('\n')}\n\n  ${ends}\n  ${forMachines}\n  ${asJson}`
}

export function explain({ words, takes, summary, more }: Command): string {
  return [
    `npm run admin -- ${words} ${takes}`.trimEnd(),
    `  ${summary}`,
    ...(more ? more.split('\n').map((line) => `  ${line}`) : []),
  ].join('\n')
}
