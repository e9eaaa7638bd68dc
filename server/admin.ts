import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type StaffRole, staffRoles } from '@atrium/contract/desk-rights.ts'
import { checkPlatform, describeReport, isWell, listPlatforms, type PlatformReport } from './accounts/platform-check.ts'
import { type AuditFinding, verifyAudit } from './audit-log/verify.ts'
import { readConfig } from './config.ts'
import type { System } from './foundation/actor.ts'
import { systemActor } from './foundation/actor.ts'
import { findRunningPostgres } from './foundation/embedded-postgres.ts'
import type { Ground } from './foundation/ground.ts'
import { type Resealed, resealWorkspace } from './foundation/resealing.ts'
import { eraseMember } from './members/erasure.ts'
import { exportMember } from './members/export.ts'
import { findMemberId } from './members/find-member.ts'
import { resetFactorsOfStaff } from './sessions/factor-reset.ts'
import { changeStaffRole, lockStaff, unlockStaff } from './staff/staff.ts'
import { prepare } from './start.ts'
import {
  addMember,
  addStaffUser,
  addWorkspace,
  describeStaff,
  describeWorkspaces,
  type WorkspaceSummary,
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
  member export <subdomain> <email or customer number>    everything about one member, as JSON, with a list of files
  member erase <subdomain> <customer number> --reason <why>    for good; money and audit log stay without the person
  platform check [<subdomain>] [<platform>]    connects to trading platforms and reports; changes nothing
  audit verify [<subdomain>] [--head <position:hash>]    whether the audit log is as it was written
  secrets reseal                               with ATRIUM_SECRET_KEY what another key of ours has sealed

  New people get a password that is printed once and stored nowhere.`

/** Beside `add`, which needs a name. */
const staffCommands = ['list', 'role', 'lock', 'unlock']

class UsageProblem extends Error {}
/** It was looked, and what was found is not well. */
class Alarm extends Error {}

process.exitCode = await main(process.argv.slice(2))

/** 0 done, 1 failed, 2 called wrongly, 3 something is not as it should be. */
async function main(args: string[]): Promise<number> {
  const text = { type: 'string' } as const
  const options = {
    json: { type: 'boolean' },
    help: { type: 'boolean' },
    role: text,
    reason: text,
    head: text,
  } as const
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (values.help || positionals.length === 0) {
      console.log(usage)
      return 0
    }
    const answer = await withGround((ground) => run(ground, positionals, values))
    // Nested as it is, an export is only readable as JSON.
    const isNested = positionals[1] === 'export'
    console.log(values.json ? JSON.stringify(answer) : isNested ? JSON.stringify(answer, null, 2) : describe(answer))
    return 0
  } catch (problem) {
    console.error(problem instanceof Error ? problem.message : problem)
    return problem instanceof UsageProblem || problem instanceof TypeError ? 2 : problem instanceof Alarm ? 3 : 1
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
type Given = { role?: string | undefined; reason?: string | undefined; head?: string | undefined }

async function run(ground: Ground, [what, verb, ...rest]: string[], given: Given): Promise<Answer> {
  const command = `${what} ${verb}`
  if (command === 'platform check') return checkPlatforms(ground, rest)
  if (what === 'audit' || command === 'member export' || command === 'member erase')
    return runPapers(ground, command, rest, given)
  if (command === 'secrets reseal') return reseal(ground)
  if (command === 'workspace list') return describeWorkspaces(ground)
  if (command === 'workspace add') {
    const [subdomain, name] = take(rest, 2)
    const { workspaceId } = await addWorkspace(ground, { subdomain, name })
    return { workspace_id: workspaceId, subdomain }
  }
  if (command === 'staff add') {
    const [subdomain, email, name] = take(rest, 3)
    const role = roleOf(given.role ?? 'administrator')
    return { email, password: await addStaffUser(await workspaceOf(ground, subdomain), { email, name, role }) }
  }
  if (what === 'staff' && verb && staffCommands.includes(verb)) return commandStaff(ground, verb, rest, given.role)
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

/** What the law asks of a brokerage: to show, to forget, and to prove that its log is true. */
async function runPapers(ground: Ground, command: string, rest: string[], given: Given): Promise<Answer> {
  if (command === 'audit verify') return verify(ground, rest[0], given.head)
  if (command === 'member export') {
    const [subdomain, who] = take(rest, 2)
    const system = await workspaceOf(ground, subdomain)
    return exportMember(system, await memberOf(system, who))
  }
  if (command === 'member erase') {
    const [subdomain, customer_number] = take(rest, 2)
    if (!given.reason?.trim()) throw new UsageProblem('Say why: --reason "Asked for it on 3 May".')
    const system = await workspaceOf(ground, subdomain)
    await eraseMember(system, await memberOf(system, customer_number), { reason: given.reason, customer_number })
    return { erased: customer_number }
  }
  throw new UsageProblem(`There is no command ${command}.\n\n${usage}`)
}

async function verify(ground: Ground, subdomain: string | undefined, head: string | undefined): Promise<Answer> {
  const all = await describeWorkspaces(ground)
  const chosen = subdomain === undefined ? all : [await workspaceNamed(ground, subdomain)]
  if (head !== undefined && chosen.length !== 1)
    throw new UsageProblem('A noted end belongs to one workspace: name it.')
  const reports: { workspace: string; entries: number; head: string; findings: AuditFinding[] }[] = []
  for (const { subdomain: workspace, workspace_id } of chosen)
    reports.push({ workspace, ...(await verifyAudit(systemActor(ground, workspace_id), head)) })
  const wrong = reports.filter(({ findings }) => findings.length > 0)
  if (wrong.length > 0) throw new Alarm(`The audit log is not as it was written:\n${JSON.stringify(wrong, null, 2)}`)
  return reports.map(({ findings: _, ...report }) => ({ ...report, verdict: 'as it was written' }))
}

async function reseal(ground: Ground): Promise<Answer> {
  const reports: ({ workspace: string } & Resealed)[] = []
  for (const { subdomain: workspace, workspace_id } of await describeWorkspaces(ground))
    reports.push({ workspace, ...(await resealWorkspace(systemActor(ground, workspace_id))) })
  if (reports.some(({ unreadable }) => unreadable > 0))
    throw new Alarm(`There are secrets that none of the keys opens:\n${JSON.stringify(reports, null, 2)}`)
  return reports
}

/** Every platform of every workspace, or those that were named. */
async function checkPlatforms(ground: Ground, [subdomain, platform]: string[]): Promise<Answer> {
  const chosen = subdomain === undefined ? await describeWorkspaces(ground) : [await workspaceNamed(ground, subdomain)]
  const reports: (PlatformReport & { workspace: string })[] = []
  for (const { subdomain: workspace, workspace_id } of chosen) {
    const system = systemActor(ground, workspace_id)
    for (const found of await listPlatforms(system, platform))
      reports.push({ workspace, ...(await checkPlatform(system, found)) })
  }
  if (platform !== undefined && reports.length === 0) throw new UsageProblem(`There is no platform ${platform}.`)
  const text = reports.map((report) => `${report.workspace}: ${describeReport(report)}`).join('\n\n')
  if (!reports.every(isWell)) throw new Alarm(text)
  return { text: text || 'No platform yet.', reports }
}

async function memberOf(system: System, who: string): Promise<string> {
  const found = await findMemberId(system, who)
  if (!found) throw new UsageProblem(`There is no member ${who}.`)
  return found
}

function take<Count extends 2 | 3 | 4>(given: string[], count: Count): Texts[Count] {
  if (given.length !== count || given.some((text) => text.trim() === '')) throw new UsageProblem(usage)
  return given as Texts[Count]
}
type Texts = { 2: [string, string]; 3: [string, string, string]; 4: [string, string, string, string] }

async function workspaceOf(ground: Ground, subdomain: string): Promise<System> {
  return systemActor(ground, (await workspaceNamed(ground, subdomain)).workspace_id)
}

async function workspaceNamed(ground: Ground, subdomain: string): Promise<WorkspaceSummary> {
  const found = (await describeWorkspaces(ground)).find((each) => each.subdomain === subdomain)
  if (!found) throw new UsageProblem(`There is no workspace ${subdomain}.`)
  return found
}

function describe(answer: Answer): string {
  if (!Array.isArray(answer) && typeof answer.text === 'string') return answer.text
  const rows = Array.isArray(answer) ? answer : [answer]
  const lines = rows.map((row) =>
    Object.entries(row)
      .map(([name, value]) => `${name}: ${value}`)
      .join('   '),
  )
  return lines.join('\n') || 'Nothing yet.'
}
