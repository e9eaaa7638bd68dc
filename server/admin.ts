import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type StaffRole, staffRoles } from '@atrium/contract/desk-rights.ts'
import { readConfig } from './config.ts'
import type { System } from './foundation/actor.ts'
import { systemActor } from './foundation/actor.ts'
import { findRunningPostgres } from './foundation/embedded-postgres.ts'
import type { Ground } from './foundation/ground.ts'
import { resetFactorsOfStaff } from './sessions/factor-reset.ts'
import { changeStaffRole, lockStaff, unlockStaff } from './staff/staff.ts'
import { prepare } from './start.ts'
import {
  addMember,
  addStaffUser,
  addWorkspace,
  describeStaff,
  describeWorkspaces,
} from './workspaces/administration.ts'

const usage = `npm run admin -- <what> <which> [...]   (--json for machines)

  workspace list
  workspace add <subdomain> <name>
  staff add <subdomain> <email> <name> [--role viewer|support|finance|compliance|administrator]
  staff list <subdomain>
  staff role <subdomain> <email> --role <role>
  staff lock <subdomain> <email>
  staff unlock <subdomain> <email>
  staff reset-factors <subdomain> <email>      for whoever lost phone, passkeys and recovery codes
  member add <subdomain> <email> <first name> <last name>

  New people get a password that is printed once and stored nowhere.`

/** Beside `add`, which needs a name. */
const staffCommands = ['list', 'role', 'lock', 'unlock']

class UsageProblem extends Error {}

process.exitCode = await main(process.argv.slice(2))

/** 0 done, 1 failed, 2 called wrongly. */
async function main(args: string[]): Promise<number> {
  const options = { json: { type: 'boolean' }, help: { type: 'boolean' }, role: { type: 'string' } } as const
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (values.help || positionals.length === 0) {
      console.log(usage)
      return 0
    }
    const answer = await withGround((ground) => run(ground, positionals, values.role))
    console.log(values.json ? JSON.stringify(answer) : describe(answer))
    return 0
  } catch (problem) {
    console.error(problem instanceof Error ? problem.message : problem)
    return problem instanceof UsageProblem || problem instanceof TypeError ? 2 : 1
  }
}

/** Beside a program that runs, its database is used; without one, ours is started and stopped again. */
async function withGround<Result>(work: (ground: Ground) => Promise<Result>): Promise<Result> {
  const config = readConfig({ LOG_LEVEL: 'error', ...process.env })
  const running = config.databaseUrl ?? findRunningPostgres(join(config.dataDirectory, 'postgres')) ?? null
  const { ground, close } = await prepare({ ...config, databaseUrl: running })
  try {
    return await work(ground)
  } finally {
    await close()
  }
}

type Answer = Record<string, unknown> | Record<string, unknown>[]

async function run(ground: Ground, [what, verb, ...rest]: string[], given: string | undefined): Promise<Answer> {
  const command = `${what} ${verb}`
  if (command === 'workspace list') return describeWorkspaces(ground)
  if (command === 'workspace add') {
    const [subdomain, name] = take(rest, 2)
    const { workspaceId } = await addWorkspace(ground, { subdomain, name })
    return { workspace_id: workspaceId, subdomain }
  }
  if (command === 'staff add') {
    const [subdomain, email, name] = take(rest, 3)
    const role = roleOf(given ?? 'administrator')
    return { email, password: await addStaffUser(await workspaceOf(ground, subdomain), { email, name, role }) }
  }
  if (what === 'staff' && verb && staffCommands.includes(verb)) return commandStaff(ground, verb, rest, given)
  if (command === 'staff reset-factors') {
    const [subdomain, email] = take(rest, 2)
    await resetFactorsOfStaff(await workspaceOf(ground, subdomain), email)
    return { email, second_factors: 'removed' }
  }
  if (command === 'member add') {
    const [subdomain, email, first_name, last_name] = take(rest, 4)
    const system = await workspaceOf(ground, subdomain)
    return { email, password: await addMember(system, { email, first_name, last_name }) }
  }
  throw new UsageProblem(`There is no command ${command}.\n\n${usage}`)
}

function roleOf(given: string | undefined): StaffRole {
  const role = staffRoles.find((known) => known === given)
  if (!role) throw new UsageProblem(`There is no role ${given}. Roles: ${staffRoles.join(', ')}`)
  return role
}

/** For whoever runs the machine: the same operations as the desk's, so the last administrator stays here too. */
async function commandStaff(ground: Ground, verb: string, rest: string[], given: string | undefined): Promise<Answer> {
  const [subdomain = '', email = ''] = verb === 'list' ? rest : take(rest, 2)
  const system = await workspaceOf(ground, subdomain)
  const people = await describeStaff(system)
  if (verb === 'list') return people
  const found = people.find((each) => each.email.toLowerCase() === email.toLowerCase())
  if (!found) throw new UsageProblem(`There is nobody with the address ${email} at this desk.`)
  const changed =
    verb === 'role'
      ? await changeStaffRole(system, found.staff_id, roleOf(given))
      : await (verb === 'lock' ? lockStaff : unlockStaff)(system, found.staff_id)
  return { email: changed.email, role: changed.role, state: changed.state }
}

function take<Count extends 2 | 3 | 4>(given: string[], count: Count): Texts[Count] {
  if (given.length !== count || given.some((text) => text.trim() === '')) throw new UsageProblem(usage)
  return given as Texts[Count]
}
type Texts = { 2: [string, string]; 3: [string, string, string]; 4: [string, string, string, string] }

async function workspaceOf(ground: Ground, subdomain: string): Promise<System> {
  const found = (await describeWorkspaces(ground)).find((each) => each.subdomain === subdomain)
  if (!found) throw new UsageProblem(`There is no workspace ${subdomain}.`)
  return systemActor(ground, found.workspace_id)
}

function describe(answer: Answer): string {
  const rows = Array.isArray(answer) ? answer : [answer]
  const lines = rows.map((row) =>
    Object.entries(row)
      .map(([name, value]) => `${name}: ${value}`)
      .join('   '),
  )
  return lines.join('\n') || 'Nothing yet.'
}
