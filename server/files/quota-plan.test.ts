import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { statementsOf } from '../../tests/fixtures/database/rows-read.ts'
import { addWorkspace, memberActor } from '../../tests/fixtures/workspaces.ts'
import type { Member } from '../foundation/actor.ts'
import { Refusal } from '../foundation/errors.ts'
import { checkQuota } from './upload.ts'

type Plan = { 'Relation Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

/** 3,000 members with an unfinished upload and seven files each: one in each of the six tables that use files, and one unused. */
const fill = `
  insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, picture_media_id,
      created_at)
    select $1, gen_random_uuid(), (500000 + n)::text, 'Member', n::text, 'quota' || n || '@bench.test', 'none', gen_random_uuid(), now()
    from generate_series(1, 3000) n;
  insert into media (workspace_id, media_id, member_id, purpose, kind, name, extension, content_type, size_bytes, sha256, storage_key,
      created_at)
    select $1, media_id, member_id, 'document', 'file', 'a.pdf', 'pdf', 'application/pdf', 10000000, sha256(media_id::text::bytea),
      media_id::text, now()
    from (select member_id, case n when 1 then picture_media_id else gen_random_uuid() end as media_id
      from members, generate_series(1, 7) n where picture_media_id is not null) as file;
  create temporary table file as
    select *, row_number() over (partition by member_id order by media_id) as n from media
    where not exists (select from members where members.picture_media_id = media.media_id);
  insert into transaction_attachments select $1, gen_random_uuid(), media_id, member_id, now() from file where n = 1;
  insert into fund_accounts (workspace_id, fund_account_id, member_id, type, name, provider, preferred_currency, address_id,
      qr_media_id, created_at, usable_from)
    select $1, gen_random_uuid(), member_id, 'other', 'Bank', 'Bank', 'EUR', '1', media_id, now(), now() from file where n = 2;
  insert into ticket_messages (workspace_id, message_id, ticket_id, member_id, position, type, media_id, created_at)
    select $1, gen_random_uuid(), gen_random_uuid(), member_id, 1, 'attachment', media_id, now() from file where n = 3;
  insert into documents (workspace_id, document_id, member_id, file_category_id, media_id, title, status, created_at)
    select $1, gen_random_uuid(), member_id, gen_random_uuid(), media_id, 'Passport', 'in_verification', now() from file where n = 4;
  insert into form_answer_files select $1, media_id, gen_random_uuid(), member_id, 'file' from file where n = 5;
  insert into uploads (workspace_id, upload_id, member_id, purpose, name, size_bytes, created_at, touched_at)
    select $1, gen_random_uuid(), member_id, 'document', 'a.pdf', 10000000, now(), now() from file where n = 6;
  drop table file`

/** One generic plan serves every member (decision 0069). */
describe('the quota of uploads', () => {
  let made: MadeContext
  let owner: pg.Client
  let member: Member

  before(async () => {
    made = await makeTestContext({ startAt: new Date() })
    const system = await addWorkspace(made.context, { isDefault: true })
    owner = await made.openOwner()
    await owner.query('set session_replication_role = replica')
    await owner.query(fill.replaceAll('$1', `'${system.workspaceId}'::uuid`))
    await owner.query('set session_replication_role = origin')
    await owner.query('analyze')
    const { rows } = await owner.query<{ id: string }>(
      `select member_id as id from members where email = 'quota7@bench.test'`,
    )
    member = await memberActor(system, rows[0]?.id ?? '')
  })
  after(() => made.close())

  it("reads a member's files and uploads, and their uses by key", async () => {
    const asked = await statementsOf(() => checkQuota(member))
    const texts = asked.map(({ text }) => text).filter((text) => /from "(media|uploads)"/.test(text))
    assert.equal(texts.length, 3)
    const conditions = new Map<string, string>()
    for (const text of texts) for (const [table, condition] of await scansOf(text)) conditions.set(table, condition)
    for (const table of ['media', 'uploads']) assert.match(conditions.get(table) ?? '', /member_id = /, table)
    const uses = [...conditions].filter(([table]) => !['media', 'uploads'].includes(table))
    assert.equal(uses.length, 6)
    for (const [table, condition] of uses) assert.match(condition, /media_id = media\.media_id/, table)
  })

  it('counts unused files and unfinished uploads', async () => {
    await checkQuota(member)
    const { workspaceId, memberId } = member
    // With the unused file and the unfinished upload of 10 MB each, this is a little more than the quota of 200 MB.
    await owner.query(`update uploads set size_bytes = 190000001 where workspace_id = $1 and member_id = $2`, [
      workspaceId,
      memberId,
    ])
    await assert.rejects(checkQuota(member), Refusal)
  })

  async function scansOf(text: string): Promise<[table: string, condition: string][]> {
    const program = new pg.Client({ connectionString: made.programUrl })
    await program.connect()
    try {
      await program.query(
        `select set_config('atrium.workspace_id', $1, false), set_config('atrium.actor_kind', 'member', false),
           set_config('atrium.member_id', $2, false), set_config('enable_bitmapscan', 'off', false)`,
        [member.workspaceId, member.memberId],
      )
      const { rows } = await program.query(`explain (generic_plan, format json) ${text}`)
      const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
      return nodesOf(rows[0]['QUERY PLAN'][0].Plan).flatMap((node) =>
        node['Relation Name'] ? [[node['Relation Name'], node['Index Cond'] ?? 'none']] : [],
      )
    } finally {
      await program.end()
    }
  }
})
