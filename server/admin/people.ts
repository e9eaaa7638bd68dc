import { type MemberDetails, memberDetails } from '@atrium/contract/members/details.ts'
import { type StaffRole, staffRoles } from '@atrium/contract/staff/rights.ts'
import { texts } from '@atrium/contract/texts.ts'
import { emailKey } from '@atrium/contract/validators/reach.ts'
import { personalData } from '../domains.ts'
import type { System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { refuse } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { inviteMember } from '../members/invitation.ts'
import { eraseMember } from '../members/personal-data/erasure.ts'
import { exportMember } from '../members/personal-data/export.ts'
import { packMember } from '../members/personal-data/member-archive.ts'
import { resetFactorsOfStaff } from '../sessions/factors/factor-reset.ts'
import { changeStaffRole, lockStaff, unlockStaff } from '../staff/staff.ts'
import { addMember, addStaffUser, describeStaff } from './administration.ts'
import { type Command, memberOf, UsageProblem, workspaceOf } from './command.ts'
import { writeNewFile } from './new-file.ts'

const password = 'The output contains a password, which is printed once and not stored.'

/** For the operator of the machine: the same operations as on the desk, so the last administrator remains here too. */
export const peopleCommands: Command[] = [
  {
    words: 'staff list',
    takes: '<subdomain>',
    summary: 'lists the staff, with role and state',
    run: async (context, [subdomain]) => describeStaff(await workspaceOf(context, subdomain)),
  },
  {
    words: 'staff add',
    takes: '<subdomain> <email> <name> [--role viewer|support|finance|compliance|administrator]',
    summary: 'adds a member of staff, by default an administrator',
    more: password,
    async run(context, [subdomain, email = '', name = ''], options) {
      const role = roleOf(options.role ?? 'administrator')
      return { email, password: await addStaffUser(await workspaceOf(context, subdomain), { email, name, role }) }
    },
  },
  {
    words: 'staff role',
    takes: '<subdomain> <email> --role <role>',
    summary: 'changes the role of a member of staff',
    run: (context, args, { role }) => changed(context, args, (system, id) => changeStaffRole(system, id, roleOf(role))),
  },
  {
    words: 'staff lock',
    takes: '<subdomain> <email>',
    summary: 'ends all sessions of a member of staff and refuses further sign-ins',
    run: (context, args) => changed(context, args, lockStaff),
  },
  {
    words: 'staff unlock',
    takes: '<subdomain> <email>',
    summary: 'allows a locked member of staff to sign in again',
    run: (context, args) => changed(context, args, unlockStaff),
  },
  {
    words: 'staff reset-factors',
    takes: '<subdomain> <email>',
    summary: 'removes the second factors, for somebody who lost phone, passkeys and recovery codes',
    async run(context, [subdomain, email = '']) {
      await resetFactorsOfStaff(await workspaceOf(context, subdomain), email)
      return { email, second_factors: 'removed' }
    },
  },
  {
    words: 'member add',
    takes: '<subdomain> <email> <first name> <last name> [--password print]',
    summary: 'adds a member, who gets a link by email to set the first password',
    more: 'Without email: --password print. The password is printed once and not stored.',
    async run(context, [subdomain, email = '', first_name = '', last_name = ''], options) {
      const system = await workspaceOf(context, subdomain)
      const isPrinted = options.password === 'print'
      if (options.password !== undefined && !isPrinted)
        throw new UsageProblem('A password cannot be chosen here: use --password print.')
      if (isPrinted) return { email, password: await addMember(system, { email, first_name, last_name }) }
      const member = await inviteByCommand(system, { email, first_name, last_name })
      return { email: member.email, invited: true }
    },
  },
  {
    words: 'member export',
    takes: '<subdomain> <email or customer number> [--to <file.zip>]',
    summary: 'exports the data of one member, as an archive with files and a readable page, or as JSON',
    more: [
      'The archive is for the member. Only your user can read the file; an existing file is not overwritten.',
      'Until it is complete its name ends in .part; remove such a file after an interrupted command.',
    ].join('\n'),
    isNested: true,
    async run(context, [subdomain, who], { to }) {
      const system = await workspaceOf(context, subdomain)
      const memberId = await memberOf(system, who)
      if (to === undefined) return exportMember(system, memberId, personalData)
      const { content } = await packMember(system, memberId, personalData)
      return { file: to, bytes: await writeNewFile(to, content) }
    },
  },
  {
    words: 'member erase',
    takes: '<subdomain> <customer number> --reason <why>',
    summary: 'erases a member permanently; transactions and audit log stay, without personal data',
    async run(context, [subdomain, customer_number = ''], { reason }) {
      if (!reason?.trim()) throw new UsageProblem('Give a reason: --reason "Requested on 3 May".')
      const system = await workspaceOf(context, subdomain)
      const memberId = await memberOf(system, customer_number)
      await eraseMember(system, memberId, { reason, customer_number }, personalData)
      return { erased: customer_number }
    },
  },
]

async function inviteByCommand(system: System, given: MemberDetails): Promise<MemberDetails> {
  const read = memberDetails.safeParse(given)
  if (!read.success) refuse('invalid_input', read.error.issues[0]?.message ?? texts.fieldsMissing)
  await inviteMember(system, { ...read.data, idempotency_key: newId() })
  return read.data
}

type Staff = Awaited<ReturnType<typeof lockStaff>>

async function changed(
  context: Context,
  [subdomain, email = '']: string[],
  change: (system: System, staffId: string) => Promise<Staff>,
) {
  const system = await workspaceOf(context, subdomain)
  const found = (await describeStaff(system)).find((each) => emailKey(each.email) === emailKey(email))
  if (!found) throw new UsageProblem(`Nobody has the address ${email} at this desk.`)
  const { email: known, role, state } = await change(system, found.staff_id)
  return { email: known, role, state }
}

function roleOf(given: string | undefined): StaffRole {
  const role = staffRoles.find((known) => known === given)
  if (!role) throw new UsageProblem(`Unknown role: ${given}. Roles: ${staffRoles.join(', ')}`)
  return role
}
