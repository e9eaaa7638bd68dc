import type { PlantedFault } from './planted-fault.ts'

const notify = ['server/notifications/notify.test.ts']
const hub = ['server/notifications/notice-hub.test.ts']
const doors = ['server/notifications/notices.test.ts']
const undelivered = ['server/notifications/undelivered.test.ts']
const delivery = ['server/notifications/delivery.test.ts']
const orders = ['server/payment-providers/order-notices.test.ts']

/** What members are told: once, all of it, and nobody else. */
export const noticeFaults: PlantedFault[] = [
  {
    name: 'a deposit that a provider ended is told to nobody',
    file: 'server/payment-providers/settle.ts',
    find: '  if (!isOver) return\n',
    replace: '  if (isOver) return\n',
    tests: orders,
    guards: 'M4',
  },
  {
    name: 'a mail server that says nothing holds a try for as long as it likes',
    file: 'server/notifications/smtp.ts',
    find: 'await Promise.race([handOver(connection, delivery), runOut(patience)])',
    replace: 'await handOver(connection, delivery)',
    tests: delivery,
    guards: 'V3',
  },
  {
    name: 'a mail whose job was lost is lost with it',
    file: 'server/notifications/sweep.ts',
    find: "await ground.jobs.enqueue(tx, 'notifications.send-mail', { workspaceId, id: mail_id })",
    replace: 'await Promise.resolve(mail_id)',
    tests: delivery,
    guards: 'V7',
  },
  {
    name: 'a mail that waits for its next try is asked for again and again',
    file: 'server/notifications/delivery.ts',
    find: "...{ state: 'queued', lease_until: null, next_try_at },",
    replace: "...{ state: 'queued', lease_until: null, next_try_at: row.created_at },",
    tests: delivery,
    guards: 'V7',
  },
  {
    name: 'what was told before is mailed again',
    file: 'server/notifications/notify.ts',
    find: '  if (!(await writeDown(tx, actor, notice, box.last_number))) return\n',
    replace: '  await writeDown(tx, actor, notice, box.last_number)\n  Object.assign(notice, { dedupeKey: newId() })\n',
    tests: notify,
    guards: 'M12',
  },
  {
    name: 'mails that cannot be turned off are turned off with their group',
    file: 'server/notifications/notify.ts',
    find: "if (rule.mail === 'by-wish' && box.mail_off.includes(rule.group)) return",
    replace: 'if ((box.mail_off as string[]).includes(rule.group)) return',
    tests: notify,
    guards: 'A8',
  },
  {
    name: 'mails go on that a member wants no more',
    file: 'server/notifications/notify.ts',
    find: "if (rule.mail === 'by-wish' && box.mail_off.includes(rule.group)) return",
    replace: "if (rule.mail === 'by-wish' && box.mail_off.length > 5) return",
    tests: notify,
    guards: 'P5',
  },
  {
    name: 'a notice is told to everybody who listens',
    file: 'server/notifications/notice-hub.ts',
    find: 'const own = news.get(listener.member.memberId)',
    replace: 'const own = [...news.values()][0]',
    tests: hub,
    guards: 'T1',
  },
  {
    name: 'a page that comes again is told nothing of what it missed',
    file: 'server/notifications/notice-hub.ts',
    find: 'upTo: readEventId(lastEventId),',
    replace: 'upTo: lastEventId === undefined ? readEventId(lastEventId) : null,',
    tests: hub,
    guards: 'V7',
  },
  {
    name: 'a page hears again what it has heard',
    file: 'server/notifications/notice-hub.ts',
    find: '    if (notice.number <= (told.upTo ?? 0)) continue\n',
    replace: '',
    tests: hub,
    guards: 'M12',
  },
  {
    name: 'what is over the most that is told at once is passed by',
    file: 'server/notifications/notice-hub.ts',
    find: '  if (!hasMore) told.upTo',
    replace: '  if (hasMore || !hasMore) told.upTo',
    tests: hub,
    guards: 'V7',
  },
  {
    name: 'a number that was never said silences a page',
    file: 'server/notifications/notice-hub.ts',
    find: 'told.upTo = Math.min(told.upTo ?? reached, reached)',
    replace: 'told.upTo = told.upTo ?? reached',
    tests: hub,
    guards: 'V7',
  },
  {
    name: 'whatever was sealed ends mails',
    file: 'server/notifications/mail-wishes.ts',
    find: 'if (found !== use || ',
    replace: 'if (found === undefined || ',
    tests: doors,
    guards: 'T2',
  },
  {
    name: 'all is marked as read that came meanwhile',
    file: 'server/notifications/notices.ts',
    find: 'notice_number <= ',
    replace: 'notice_number < 1000000 + ',
    tests: doors,
    guards: 'M12',
  },
  {
    name: 'a mail that did not get through is forgotten',
    file: 'server/notifications/delivery.ts',
    find: "const isForgotten = ending.state === 'sent' || row.has_link",
    replace: "const isForgotten = ending.state !== 'sent' || row.has_link || true",
    tests: undelivered,
    guards: 'V3',
  },
  {
    name: 'a link that sets a password outlives its mail',
    file: 'server/notifications/delivery.ts',
    find: "const isForgotten = ending.state === 'sent' || row.has_link",
    replace: "const isForgotten = ending.state === 'sent'",
    tests: undelivered,
    guards: 'P1',
  },
  {
    name: 'a mail tried again has no tries left',
    file: 'server/notifications/delivery.ts',
    find: 'attempt - row.tries_before >= attemptsMax',
    replace: 'attempt >= attemptsMax',
    tests: undelivered,
    guards: 'V3',
  },
]
