import type { Mutation } from './mutation.ts'

const notify = ['server/notifications/notify.test.ts']
const hub = ['server/notifications/notification-hub.test.ts']
const limiters = ['server/notifications/notifications.test.ts']
const deadLetters = ['server/notifications/dead-letters.test.ts']
const delivery = ['server/notifications/delivery.test.ts']

/** Notifications: delivered once, completely, and only to their member. */
export const notificationMutations: Mutation[] = [
  {
    name: 'a silent mail server blocks a delivery without a timeout',
    file: 'server/notifications/smtp.ts',
    find: 'await Promise.race([transmit(connection, delivery), runOut(patience)])',
    replace: 'await transmit(connection, delivery)',
    tests: delivery,
    guards: 'V3',
  },
  {
    name: 'a mail is lost with its job',
    file: 'server/notifications/sweep.ts',
    find: "await context.jobs.enqueue(tx, 'notifications.send-mail', { workspaceId, id: mail_id })",
    replace: 'await Promise.resolve(mail_id)',
    tests: delivery,
    guards: 'V7',
  },
  {
    name: 'a mail that waits for a retry is queued again and again',
    file: 'server/notifications/delivery.ts',
    find: "...{ state: 'queued', lease_until: null, next_try_at },",
    replace: "...{ state: 'queued', lease_until: null, next_try_at: row.created_at },",
    tests: delivery,
    guards: 'V7',
  },
  {
    name: 'a repeated notification is mailed again',
    file: 'server/notifications/notify.ts',
    find: '  if (!(await writeDown(tx, actor, notification, box.last_number))) return\n',
    replace:
      '  await writeDown(tx, actor, notification, box.last_number)\n  Object.assign(notification, { dedupeKey: newId() })\n',
    tests: notify,
    guards: 'M12',
  },
  {
    name: 'a notification goes to another member',
    file: 'server/notifications/notification-hub.ts',
    find: 'const own = news.get(listener.member.memberId)',
    replace: 'const own = [...news.values()][0]',
    tests: hub,
    guards: 'T1',
  },
  {
    name: 'a reconnecting page does not receive what it missed',
    file: 'server/notifications/notification-hub.ts',
    find: 'upTo: readEventId(lastEventId),',
    replace: 'upTo: lastEventId === undefined ? readEventId(lastEventId) : null,',
    tests: hub,
    guards: 'V7',
  },
  {
    name: 'notifications beyond one batch are skipped',
    file: 'server/notifications/notification-hub.ts',
    find: '  if (!hasMore) sent.upTo',
    replace: '  if (hasMore || !hasMore) sent.upTo',
    tests: hub,
    guards: 'V7',
  },
  {
    name: 'an event id that was never sent silences a page',
    file: 'server/notifications/notification-hub.ts',
    find: 'sent.upTo = Math.min(sent.upTo ?? reached, reached)',
    replace: 'sent.upTo = sent.upTo ?? reached',
    tests: hub,
    guards: 'V7',
  },
  {
    name: 'marking all as read includes notifications that arrived meanwhile',
    file: 'server/notifications/notifications.ts',
    find: 'notice_number <= ',
    replace: 'notice_number < 1000000 + ',
    tests: limiters,
    guards: 'M12',
  },
  {
    name: 'the content of an undelivered mail is deleted',
    file: 'server/notifications/delivery.ts',
    find: "const isForgotten = ending.state === 'sent' || ending.state === 'declined' || row.has_link",
    replace: "const isForgotten = ending.state !== 'sent' || row.has_link || true",
    tests: deadLetters,
    guards: 'V3',
  },
  {
    name: 'a retried dead letter has no attempts left',
    file: 'server/notifications/delivery.ts',
    find: 'attempt - row.tries_before >= attemptsMax',
    replace: 'attempt >= attemptsMax',
    tests: deadLetters,
    guards: 'V3',
  },
  {
    name: 'retrying all dead letters resends mails that may have arrived',
    file: 'server/notifications/dead-letter-retry.ts',
    find: "deadLetterMails.met(tx, staff, { q, state: 'failed' })",
    replace: 'deadLetterMails.met(tx, staff, { q })',
    tests: deadLetters,
    guards: 'M12',
  },
  {
    name: 'two concurrent retries take the same mails',
    file: 'server/notifications/dead-letter-retry.ts',
    find: '      .forUpdate()\n      .skipLocked()\n',
    replace: '',
    tests: deadLetters,
    guards: 'M12',
  },
  {
    name: 'a locked member is mailed like any other',
    file: 'server/notifications/notify.ts',
    find: '(!isAdmitted(member) || box.mail_off.includes(rule.group))',
    replace: 'box.mail_off.includes(rule.group)',
    tests: notify,
    guards: 'A6',
  },
]
