import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { buildApp } from '../server/app.ts'
import { systemActor } from '../server/foundation/actor.ts'
import type { Context } from '../server/foundation/context.ts'
import { reading } from '../server/foundation/database/database.ts'
import { hashPassword } from '../server/sessions/passwords/password.ts'
import { type Compared, compare, describe, revealsMembers } from './enumeration.ts'
import { fillBrokerage, size } from './fill/fill.ts'
import { type Answer, expectStatus as expect, makeAsk } from './load/asking.ts'
import { listen, onFixture } from './setup.ts'

/**
 * `npm run bench -- sign-in-timing`: whether response times distinguish a known address from an unknown one; with `--refused`,
 * only for answers over a rate limit. Fails if they do.
 */
/** Checked sign-ins cost a hash each; refusals are cheap, and an attacker can send thousands of them. */
const pairs = Number(process.env.ATRIUM_BENCH_PAIRS ?? 500)
const refusedPairs = Number(process.env.ATRIUM_BENCH_REFUSED_PAIRS ?? 5_000)
const workspace = '00000000-0000-7000-8000-000000000001'
const extraQueryHeader = 'x-bench-extra-query'

type At = 'portal' | 'desk'
const paths = {
  portal: { login: '/members/login', reset: '/members/reset-password/request', prefix: 'bench' },
  desk: { login: '/desk/api/login', reset: '/desk/api/reset-password/request', prefix: 'staff' },
}

/** A positive control: one extra query on request. A bench that does not detect it proves nothing. */
function plantQuery(app: Awaited<ReturnType<typeof buildApp>>, context: Context): void {
  app.addHook('preHandler', async (request) => {
    if (request.headers[extraQueryHeader] === undefined) return
    await reading(systemActor(context, workspace), (tx) => sql`select 1`.execute(tx))
  })
}

type Post = (path: string, body: object, headers?: object) => Promise<Answer>

type Timing = { post: Post; ownerUrl: string; passDay(): void; onlyRefused: boolean }

/**
 * Compares a known email with an unknown one of the same length, on both sign-in routes, for each answer and with each header that
 * a client can add. Returns true if no arm distinguishes them and the extra query is detected.
 */
async function timeSignIns({ post, ownerUrl, passDay, onlyRefused }: Timing): Promise<boolean> {
  await preparePeople(ownerUrl)
  const found: { compared: Compared; isControl: boolean }[] = []
  const run = async (arm: Parameters<typeof compare>[0], isControl = false): Promise<void> => {
    const compared = await compare(arm)
    found.push({ compared, isControl })
    console.log(describe(compared))
    passDay()
  }
  for (const at of ['portal', 'desk'] as const) {
    for (const arm of await refusedArms(post, at)) {
      await arm.useUp()
      await run({ ...arm, pairs: refusedPairs }, arm.isControl)
    }
    if (!onlyRefused) for (const arm of checkedArms(post, at)) await run({ ...arm, pairs })
  }
  const revealing = found.filter(({ compared, isControl }) => !isControl && revealsMembers(compared))
  const blind = found.filter(({ compared, isControl }) => isControl && !revealsMembers(compared))
  for (const { compared } of revealing) console.log(`  Reveals who is a member: ${compared.name}`)
  for (const { compared } of blind)
    console.log(`  Blind: ${compared.name} was not detected, so this run proves nothing`)
  return revealing.length === 0 && blind.length === 0
}

const headersOf = {
  'no cookie': () => ({}),
  'an invented device cookie': () => ({ cookie: `atrium_device=${randomBytes(32).toString('base64url')}` }),
  'a malformed device cookie': () => ({ cookie: 'atrium_device=none' }),
  'a device cookie of somebody else': () => ({ cookie: `atrium_device=${othersKey}` }),
  'an invented session': () => ({ authorization: `Bearer ${'x'.repeat(43)}` }),
}
const othersKey = 'k'.repeat(43)

/** Both emails are over the limit for this network. */
async function refusedArms(post: Post, at: At) {
  const { login, reset, prefix } = paths[at]
  const wrong = (email: string) => ({ email, password: 'Wrong-2026' })
  const here = { 'x-forwarded-for': '10.9.9.9' }
  const [known, unknown] = [`${prefix}9@bench.test`, 'nobod9@bench.test']
  const useUpSignIns = async () => {
    for (let count = 0; count < 9; count++) for (const email of [known, unknown]) await post(login, wrong(email), here)
  }
  const signIns = Object.entries(headersOf).map(([along, headers]) => {
    const send = (email: string, more = {}) =>
      post(login, wrong(email), { ...here, ...headers(), ...more }).then(expect(429))
    return { along, send }
  })
  const useUpResets = async () => {
    for (let count = 0; count < 4; count++) for (const email of [known, unknown]) await post(reset, { email }, here)
  }
  const askForReset = (email: string) => post(reset, { email }, here).then(expect(429))
  const usual = { useUp: useUpSignIns, isControl: false }
  const [plain] = signIns
  return [
    ...signIns.map(({ along, send }) => ({
      ...usual,
      name: `${at}: sign-in refused, ${along}`,
      left: () => send(known),
      right: () => send(unknown),
    })),
    {
      ...usual,
      name: `${at}: password reset refused`,
      useUp: useUpResets,
      left: () => askForReset(known),
      right: () => askForReset(unknown),
    },
    ...(plain
      ? [
          {
            ...usual,
            name: `${at}: sign-in refused, the same email twice (control)`,
            left: () => plain.send(unknown),
            right: () => plain.send(unknown),
          },
          {
            ...usual,
            name: `${at}: sign-in refused, one extra query`,
            isControl: true,
            left: () => plain.send(unknown, { [extraQueryHeader]: '1' }),
            right: () => plain.send(unknown),
          },
        ]
      : []),
  ]
}

/** Each request comes from its own network and each email is used once, so the comparison covers checked passwords. */
function checkedArms(post: Post, at: At) {
  const { login, reset, prefix } = paths[at]
  const from = (index: number) => ({ 'x-forwarded-for': `10.2.${index % 250}.${Math.floor(index / 250) + 1}` })
  const number = (index: number) => 1_000 + (index % 900)
  const sides = (send: (email: string, index: number) => Promise<unknown>, first = 0) => ({
    left: (index: number) => send(`${prefix}${first + number(index)}@bench.test`, index),
    right: (index: number) => send(`nobod${first + number(index)}@bench.test`, index),
  })
  const signIn = (headers: () => object) => (email: string, index: number) =>
    post(login, { email, password: 'Wrong-2026' }, { ...from(index), ...headers() }).then(expect(401))
  return [
    ...Object.entries(headersOf).map(([along, headers]) => ({
      name: `${at}: wrong password, ${along}`,
      ...sides(signIn(headers)),
    })),
    { name: `${at}: of somebody locked`, ...sides(signIn(headersOf['no cookie']), 1_000) },
    ...(at === 'desk' ? [{ name: `${at}: of somebody invited`, ...sides(signIn(headersOf['no cookie']), 2_000) }] : []),
    {
      name: `${at}: password reset`,
      ...sides((email, index) => post(reset, { email }, from(index)).then(expect(200))),
    },
  ]
}

/** Adds staff like the members, a thousand of each status, and a known device for one member and one staff user. */
async function preparePeople(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await fillPeople(owner).finally(() => owner.end())
}

async function fillPeople(owner: pg.Client): Promise<void> {
  await owner.query(
    `insert into staff_users (workspace_id, staff_id, email, name, role, password_hash, created_at)
     select $1, gen_random_uuid(), 'staff' || n || '@bench.test', 'Staff ' || n, 'viewer',
       (select password_hash from members limit 1), now()
     from generate_series(1, 4000) n`,
    [workspace],
  )
  await owner.query(
    `update members set status = 'locked' where substring(email from '^bench([0-9]+)')::int between 2000 and 2999`,
  )
  await owner.query(`update staff_users set status = case when substring(email from '[0-9]+')::int < 3000 then 'locked'
    else 'invited' end where substring(email from '[0-9]+')::int between 2000 and 3999`)
  await owner.query(
    `insert into known_devices (workspace_id, device_id, member_id, staff_id, device_hash, last_used_at)
     select $1::uuid, gen_random_uuid(), member_id, null::uuid, sha256($2::bytea), now() + interval '30 days' from members where email = 'bench1@bench.test'
     union all
     select $1::uuid, gen_random_uuid(), null::uuid, staff_id, sha256($2::bytea), now() + interval '30 days' from staff_users where email = 'staff1@bench.test'`,
    [workspace, Buffer.from(othersKey)],
  )
  await owner.query('analyze')
}

await onFixture(
  async ({ context, ownerUrl }) => {
    await fillBrokerage(ownerUrl, await hashPassword('Bench-2026'), size.members)
    // The bench advances the clock past the rate limits, so that sign-ins are checked and not refused.
    let passedMs = 0
    const here = { ...context, clock: { now: () => new Date(Date.now() + passedMs) } }
    const app = await buildApp(here)
    plantQuery(app, here)
    const ask = makeAsk(await listen(app))
    const post: Post = (path, body, headers) => {
      const json = { 'content-type': 'application/json', ...headers }
      return ask({ method: 'POST', path, headers: json, body: JSON.stringify(body) })
    }
    const passDay = () => {
      passedMs += 24 * 3_600_000
    }
    const onlyRefused = process.argv.includes('--refused')
    if (!(await timeSignIns({ post, ownerUrl, passDay, onlyRefused }))) process.exitCode = 1
    await app.close()
  },
  {},
  { TRUSTED_PROXIES: '1' },
)
