import type { PlantedFault } from './planted-fault.ts'

const decision = ['server/funding/decision.test.ts']
const recordedChanges = ['server/recorded-changes.test.ts']
const production = ['server/production.test.ts']
const canaries = ['server/canaries.test.ts']

/** Privacy and the record: what is told, logged, kept, and written down about each change. */
export const privacyFaults: PlantedFault[] = [
  {
    name: 'a decision leaves no audit entry',
    file: 'server/funding/transaction.ts',
    find: '  await audit(tx, actor, {\n    action: move.event,',
    replace: '  if (move.to === "cancelled") await audit(tx, actor, {\n    action: move.event,',
    tests: decision,
    guards: 'P3',
  },
  {
    name: 'the mailbox of developers is open in production',
    file: 'server/notifications/dev-mailbox.ts',
    find: 'return !config.production && config.smtpUrl === null',
    replace: 'return config.smtpUrl === null',
    tests: ['server/notifications/dev-mailbox.test.ts'],
    guards: 'S4',
  },
  {
    name: 'of two tabs the later one overwrites what it never saw',
    file: 'server/members/profile.ts',
    find: "if (version !== current) refuse('conflict', texts.profileChangedElsewhere)",
    replace: '',
    tests: ['server/members/profile.test.ts'],
    guards: 'P3',
  },
  {
    name: 'the log tells what was sent',
    file: 'server/app.ts',
    find: 'request.log.info({ method: request.method, route,',
    replace: 'request.log.info({ method: request.method, url: request.url, route,',
    tests: canaries,
    guards: 'P1',
  },
  {
    name: 'a refusal repeats what was sent',
    file: 'server/foundation/error-handler.ts',
    find: '    if (problem instanceof Refusal) return sendRefusal(problem, request, reply)\n',
    replace:
      "    reply.header('x-sent', encodeURI(JSON.stringify(request.body ?? {})))\n    if (problem instanceof Refusal) return sendRefusal(problem, request, reply)\n",
    tests: canaries,
    guards: 'P1',
  },
  {
    name: 'a fault is told in its own words',
    file: 'server/foundation/error-handler.ts',
    find: "answerOf(['fault', texts.requestFailed], request)",
    replace: "answerOf(['fault', problem.message], request)",
    tests: canaries,
    guards: 'P1',
  },
  {
    name: 'the later of two tabs overwrites the settings of the earlier',
    file: 'server/workspaces/change.ts',
    find: "    if (current !== version) refuse('conflict', texts.settingsChanged)\n",
    replace: '',
    tests: ['server/workspaces/change.test.ts'],
    guards: 'P3',
  },
  {
    name: 'whoever leaves keeps the place that they had wanted to go to',
    file: 'web/api/session-store.ts',
    find: "      storage.removeItem(targetKey)\n      storage.setItem(leftKey, 'yes')\n",
    replace: "      storage.setItem(leftKey, 'yes')\n",
    tests: ['web/api/session-store.test.ts'],
    guards: 'P5',
  },
  {
    name: 'what the last person looked for is kept while somebody goes back after leaving',
    file: 'web/api/session-store.ts',
    find: 'hasLeft ? withoutSearch(path) : path',
    replace: 'path',
    tests: ['web/api/session-store.test.ts'],
    guards: 'P5',
  },
  {
    name: 'a session that was left without a network stays open on the server',
    file: 'web/api/sign-out.ts',
    find: '!isOver && tries < triesMax',
    replace: '!isOver && tries < 1',
    tests: ['web/api/sign-out.test.ts'],
    guards: 'A6',
  },
  {
    name: 'a call changes something without its audit entry',
    file: 'server/sessions/session.ts',
    find: "    await audit(tx, actor, { action: 'session.ended',",
    replace: "    if (ended.session_id === '') await audit(tx, actor, { action: 'session.ended',",
    tests: recordedChanges,
    guards: 'P3',
  },
  {
    name: 'the audit entry stands in a transaction of its own',
    file: 'server/members/profile.ts',
    find: "await audit(tx, member, { action, subject: { kind: 'member', id: member.memberId }, before, after })",
    replace:
      "await inTransaction(member, (own) => audit(own, member, { action, subject: { kind: 'member', id: member.memberId }, before, after }))",
    tests: recordedChanges,
    guards: 'P3',
  },
  {
    name: 'production works on the database of the demo',
    file: 'server/start.ts',
    find: '  if (config.production) await refuseDemoPeople(ground)\n',
    replace: '  if (config.demo) await refuseDemoPeople(ground)\n',
    tests: production,
    guards: 'S4',
  },
  {
    name: 'production credits accounts of a simulator',
    file: 'server/accounts/platform-connections.ts',
    find: '    if (config.production) refuseSimulator(settings)\n',
    replace: '    if (config.demo) refuseSimulator(settings)\n',
    tests: production,
    guards: 'S4',
  },
  {
    name: 'a failpoint ends production',
    file: 'server/config.ts',
    find: 'failpoint: production ? null : (read.ATRIUM_FAILPOINT ?? null)',
    replace: 'failpoint: read.ATRIUM_FAILPOINT ?? null',
    tests: production,
    guards: 'S4',
  },
  {
    name: 'a link of the audit log is not calculated anew',
    file: 'server/audit-log/verify.ts',
    find: 'if (!link.expected.equals(link.hash)) wrong',
    replace: 'if (link.expected.length !== link.hash.length) wrong',
    tests: ['server/audit-log/chain.test.ts'],
    guards: 'P4',
  },
  {
    name: 'terms that are saved twice are two changes',
    file: 'server/terms/template.ts',
    find: "    if (draft.revision !== revision) refuse('conflict', texts.termsChangedElsewhere)\n    await tx\n",
    replace: '    await tx\n',
    tests: ['server/sent-twice.test.ts'],
    guards: 'P3',
  },
]
