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

const password = 'The answer holds a password, which is printed once and stored nowhere.'

/** For the operator of the machine: the same operations as on the desk, so the last administrator remains here too. */
export const peopleCommands: Command[] = [
  {
    words: 'staff list',
    takes: '<subdomain>',
    says: 'who works at the desk, with role and state',
    run: async (context, [subdomain]) => describeStaff(await workspaceOf(context, subdomain)),
  },
  {
    words: 'staff add',
    takes: '<subdomain> <email> <name> [--role viewer|support|finance|compliance|administrator]',
    says: 'somebody at the desk; an administrator, unless said',
    more: password,
    async run(context, [subdomain, email = '', name = ''], options) {
      const role = roleOf(options.role ?? 'administrator')
      return { email, password: await addStaffUser(await workspaceOf(context, subdomain), { email, name, role }) }
    },
  },
  {
    words: 'staff role',
    takes: '<subdomain> <email> --role <role>',
    says: 'gives another role',
    run: (context, args, { role }) => changed(context, args, (system, id) => changeStaffRole(system, id, roleOf(role))),
  },
  {
    words: 'staff lock',
    takes: '<subdomain> <email>',
    says: 'ends all sessions and lets nobody in',
    run: (context, args) => changed(context, args, lockStaff),
  },
  {
    words: 'staff unlock',
    takes: '<subdomain> <email>',
    says: 'lets in again',
    run: (context, args) => changed(context, args, unlockStaff),
  },
  {
    words: 'staff reset-factors',
    takes: '<subdomain> <email>',
    says: 'for whoever lost phone, passkeys and recovery codes',
    async run(context, [subdomain, email = '']) {
      await resetFactorsOfStaff(await workspaceOf(context, subdomain), email)
      return { email, second_factors: 'removed' }
    },
  },
  {
    words: 'member add',
    takes: '<subdomain> <email> <first name> <last name> [--password print]',
    says: 'a member, who gets a link by mail to set the first password',
    more: 'Where no mail can be sent: --password print. The password is printed once and stored nowhere.',
    async run(context, [subdomain, email = '', first_name = '', last_name = ''], options) {
      const system = await workspaceOf(context, subdomain)
      const isPrinted = options.password === 'print'
      if (options.password !== undefined && !isPrinted)
        throw new UsageProblem('Passwords are not chosen here: --password print.')
      if (isPrinted) return { email, password: await addMember(system, { email, first_name, last_name }) }
      const member = await inviteByCommand(system, { email, first_name, last_name })
      return { email: member.email, invited: true }
    },
  },
  {
    words: 'member export',
    takes: '<subdomain> <email or customer number> [--to <file.zip>]',
    says: 'everything about one member: as an archive with the files and a page to read, or as JSON',
    more: [
      'The archive is for the member. Only you can read it; a file that is there already is left alone.',
      "Until it is whole its name ends in .part: what a command that was killed leaves of it is in nobody's way, and is yours to remove.",
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
    says: 'for good; money and audit log stay, without the person',
    async run(context, [subdomain, customer_number = ''], { reason }) {
      if (!reason?.trim()) throw new UsageProblem('Say why: --reason "Asked for it on 3 May".')
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
  if (!found) throw new UsageProblem(`There is nobody with the address ${email} at this desk.`)
  const { email: known, role, state } = await change(system, found.staff_id)
  return { email: known, role, state }
}

function roleOf(given: string | undefined): StaffRole {
  const role = staffRoles.find((known) => known === given)
  if (!role) throw new UsageProblem(`There is no role ${given}. Roles: ${staffRoles.join(', ')}`)
  return role
}
